package io.tailrace.operators.evaluation;

import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.GenerationReplay;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The choices that a replica counts beside what is live, by name. One thread. */
final class CountedChoices {
    private final Map<String, Choice> choices = new LinkedHashMap<>();

    /**
     * Choices of which each goes on where it was.
     *
     * @param learned before, by name
     * @param live what the live choice has learned, with which those that are new begin: else they would have to catch up; null: nothing
     */
    CountedChoices(List<EvaluationChoice> asked, Map<String, float[]> learned, float[] live) {
        asked.forEach(choice -> choices.put(choice.name(), choice.counted(learned.getOrDefault(choice.name(), live))));
    }

    Set<String> names() {
        return choices.keySet();
    }

    /** What each gives on one generation; index, budget and hurry are those of what is live. */
    Map<String, LearningReport.Totals> count(EvaluationSample sample, LaneIndex index, int budget, float hurry) {
        Map<String, LearningReport.Totals> counted = new HashMap<>();
        choices.forEach((name, choice) -> counted.put(name, choice.count(sample, index, budget, hurry)));
        return counted;
    }

    /** What those that learn have learned so far; nothing changes it any more. */
    Map<String, float[]> learned() {
        Map<String, float[]> all = new HashMap<>();
        choices.forEach((name, choice) -> {
            float[] learned = choice.learned();
            if (learned != null) {
                all.put(name, learned);
            }
        });
        return all;
    }

    /** One choice as a replica counts it, with a drafter of its own. One thread. */
    abstract static class Choice {
        final GenerationReplay drafting = new GenerationReplay();

        /**
         * The live strategy otherwise: it learns, at the live pace, what it would have learned had it been live all along.
         *
         * @param learned what it goes on from; null, or of another layout: the product's weights
         */
        static Choice learning(EvaluationChoice.Variant variant, float[] learned) {
            return new Learning(variant, learned);
        }

        /** A published method: its drafter learns nothing that could be kept, and starts as a worker's does. */
        static Choice published(StrategyChoice strategy) {
            return new Published(strategy.drafter(new float[0]));
        }

        /** What it gives on one generation. */
        final LearningReport.Totals count(EvaluationSample sample, LaneIndex index, int budget, float hurry) {
            evaluate(sample, index, budget, hurry);
            return Replica.totals(drafting, sample);
        }

        /**
         * Evaluates it.
         *
         * @param index what is live, likewise {@code budget}
         * @param hurry how many times as fast to learn
         */
        abstract void evaluate(EvaluationSample sample, LaneIndex index, int budget, float hurry);

        /** What it has learned so far, a copy; null: it does not learn. */
        abstract float[] learned();

        private static final class Learning extends Choice {
            private final EvaluationChoice.Variant variant;
            private final Mixer mixer = Mixer.defaults();
            private final AdaptiveDrafter drafter = new AdaptiveDrafter(mixer, Replica.UNLIMITED);
            /** What it drafts from while a version is live, and what tells versions apart. */
            private LaneIndex own = LaneIndex.EMPTY;

            private LaneVocabulary ofLive;

            private Learning(EvaluationChoice.Variant variant, float[] learned) {
                this.variant = variant;
                Replica.takeUp(mixer, learned);
            }

            @Override
            void evaluate(EvaluationSample sample, LaneIndex index, int budget, float hurry) {
                mixer.hurry(hurry);
                if (ofLive != index.vocabulary()) {
                    ofLive = index.vocabulary();
                    own = variant.index(index);
                }
                drafting.walk(drafter, sample.prompt(), sample.response(), own, variant.budget(budget));
            }

            @Override
            float[] learned() {
                return mixer.learned();
            }
        }

        private static final class Published extends Choice {
            private final Drafter drafter;

            private Published(Drafter drafter) {
                this.drafter = drafter;
            }

            @Override
            void evaluate(EvaluationSample sample, LaneIndex index, int budget, float hurry) {
                drafting.run(drafter, sample.prompt(), sample.response(), index, budget);
            }

            @Override
            float[] learned() {
                return null;
            }
        }
    }
}
