package io.tailrace.operators.evaluation;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.suffix.strategy.Strategy;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.io.Serializable;
import java.util.Arrays;

/**
 * What an evaluation can count beside what is live, on the same generations, each for the price of one more evaluation: the live strategy with another
 * budget or less memory, or another strategy within the live budget, written as {@code replay --strategy} takes it. An evaluation knows texts and no model, so it
 * refuses strategies that draft a model's own candidates.
 *
 * @param name as options and manifests write it: {@code own-context}, {@code suffix-decoding:tree=true}
 */
public record EvaluationChoice(String name) implements Serializable {
    /** The live strategy with the request's own context only. */
    public static final EvaluationChoice OWN_CONTEXT = new EvaluationChoice(ChoiceVariant.OWN_CONTEXT.toString());
    /** With half the default budget. */
    public static final EvaluationChoice BUDGET_8 = new EvaluationChoice(ChoiceVariant.BUDGET_8.toString());

    public EvaluationChoice {
        if (ChoiceVariant.named(name).isEmpty()) {
            requireEvaluationable(strategy(name));
        }
    }

    /** It, to be evaluated, with weights to begin with; null: the product's. */
    CountedChoice counted(float[] weights) {
        return ChoiceVariant.named(name)
                .map(variant -> CountedChoice.learning(variant, weights))
                .orElseGet(() -> CountedChoice.published(StrategyChoice.parse(name)));
    }

    private static StrategyChoice strategy(String name) {
        try {
            return StrategyChoice.parse(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "what is counted beside the live choice must be one of %s, or a strategy as replay --strategy takes it, got '%s': %s"
                            .formatted(Arrays.toString(ChoiceVariant.values()), name, e.getMessage()),
                    e);
        }
    }

    private static void requireEvaluationable(StrategyChoice choice) {
        require(
                choice.strategy() != Strategy.ADAPTIVE,
                "%s is the live strategy; what can be counted of it is %s",
                choice.text(),
                Arrays.toString(ChoiceVariant.values()));
        require(
                choice.candidatesWanted() == 0,
                "%s drafts the model's own candidates, which an evaluation does not know; %s:observed=true drafts successors that were seen",
                choice.text(),
                choice.strategy().name());
    }

    @Override
    public String toString() {
        return name;
    }
}
