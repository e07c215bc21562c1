package io.tailrace.operators.replay;

import static io.tailrace.operators.Require.require;

import io.tailrace.strategies.Strategy;
import io.tailrace.strategies.StrategyChoice;
import java.io.Serializable;
import java.util.Arrays;

/**
 * What a replay can count beside what is live, on the same generations, each for the price of one more replay: the live strategy with another
 * budget or less memory, or another strategy within the live budget, written as {@code replay --strategy} takes it. A replay knows texts and no model, so it
 * refuses strategies that draft a model's own candidates.
 *
 * @param name as options and manifests write it: {@code own-context}, {@code suffix-decoding:tree=true}
 */
public record ReplayChoice(String name) implements Serializable {
    /** The live strategy with the request's own context only. */
    public static final ReplayChoice OWN_CONTEXT = new ReplayChoice(ReplayVariant.OWN_CONTEXT.toString());
    /** With half the default budget. */
    public static final ReplayChoice BUDGET_8 = new ReplayChoice(ReplayVariant.BUDGET_8.toString());

    public ReplayChoice {
        if (ReplayVariant.named(name).isEmpty()) {
            requireReplayable(strategy(name));
        }
    }

    /** It, to be replayed, with weights to begin with; null: the product's. */
    CountedChoice counted(float[] weights) {
        return ReplayVariant.named(name)
                .map(variant -> CountedChoice.learning(variant, weights))
                .orElseGet(() -> CountedChoice.published(StrategyChoice.parse(name)));
    }

    private static StrategyChoice strategy(String name) {
        try {
            return StrategyChoice.parse(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "what is counted beside the live choice must be one of %s, or a strategy as replay --strategy takes it, got '%s': %s"
                            .formatted(Arrays.toString(ReplayVariant.values()), name, e.getMessage()),
                    e);
        }
    }

    private static void requireReplayable(StrategyChoice choice) {
        require(
                choice.strategy() != Strategy.ADAPTIVE,
                "%s is the live strategy; what can be counted of it is %s",
                choice.text(),
                Arrays.toString(ReplayVariant.values()));
        require(
                !choice.drafter(new float[0]).needsCandidates(),
                "%s drafts the model's own candidates, which a replay does not know; %s:observed=true drafts successors that were seen",
                choice.text(),
                choice.strategy().label());
    }

    @Override
    public String toString() {
        return name;
    }
}
