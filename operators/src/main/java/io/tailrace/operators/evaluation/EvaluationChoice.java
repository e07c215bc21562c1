package io.tailrace.operators.evaluation;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.strategy.Strategy;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What an evaluation can count beside what is live, on the same generations, each for the price of one more evaluation: the live strategy with another
 * budget or less memory, or another strategy within the live budget, written as {@code replay --strategy} takes it. An evaluation knows texts and no model, so it
 * refuses strategies that draft a model's own candidates.
 *
 * @param name as options and manifests write it: {@code own-context}, {@code suffix-decoding:tree=true}
 */
public record EvaluationChoice(String name) implements Serializable {
    /** The live strategy with the request's own context only. */
    public static final EvaluationChoice OWN_CONTEXT = new EvaluationChoice(Variant.OWN_CONTEXT.toString());
    /** With half the default budget. */
    public static final EvaluationChoice BUDGET_8 = new EvaluationChoice(Variant.BUDGET_8.toString());

    public EvaluationChoice {
        if (Variant.named(name).isEmpty()) {
            requireEvaluationable(strategy(name));
        }
    }

    /** It, to be evaluated, going on from what was learned before; null: the product's weights. */
    CountedChoices.Choice counted(float[] learned) {
        return Variant.named(name)
                .map(variant -> CountedChoices.Choice.learning(variant, learned))
                .orElseGet(() -> CountedChoices.Choice.published(StrategyChoice.parse(name)));
    }

    private static StrategyChoice strategy(String name) {
        try {
            return StrategyChoice.parse(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "what is counted beside the live choice must be one of %s, or a strategy as replay --strategy takes it, got '%s': %s"
                            .formatted(Arrays.toString(Variant.values()), name, e.getMessage()),
                    e);
        }
    }

    private static void requireEvaluationable(StrategyChoice choice) {
        require(
                choice.strategy() != Strategy.ADAPTIVE,
                "%s is the live strategy; what can be counted of it is %s",
                choice.text(),
                Arrays.toString(Variant.values()));
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

    /** The live strategy with another budget, or with less memory; everything else is as it is live. */
    enum Variant {
        /** The request's own context only. */
        OWN_CONTEXT {
            @Override
            LaneIndex index(LaneIndex live) {
                return LaneIndex.EMPTY;
            }
        },
        /** Half the default budget. */
        BUDGET_8 {
            @Override
            int budget(int live) {
                return 8;
            }
        },
        /** Twice the default budget. */
        BUDGET_31 {
            @Override
            int budget(int live) {
                return 31;
            }
        },
        /** A retention of minutes: the newest segment only. */
        NEWEST_ONLY {
            @Override
            LaneIndex index(LaneIndex live) {
                return held(List.of(), live);
            }
        },
        /** A retention without the oldest segment. */
        WITHOUT_OLDEST {
            @Override
            LaneIndex index(LaneIndex live) {
                int older = live.older().size();
                return older == 0 ? live : held(live.older().subList(1, older), live);
            }
        };

        /** What is drafted from; where that is less than what is live its tokens are counted anew, so it is to be made once a version. */
        LaneIndex index(LaneIndex live) {
            return live;
        }

        private static LaneIndex held(List<? extends OccurrenceIndex> older, LaneIndex live) {
            return new LaneIndex(older, live.newest(), live.fresh(), LaneVocabulary.of(older, live.newest()));
        }

        int budget(int live) {
            return live;
        }

        static Optional<Variant> named(String name) {
            return Arrays.stream(values())
                    .filter(variant -> variant.toString().equals(name))
                    .findFirst();
        }

        /** As options and manifests write it: {@code own-context}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
