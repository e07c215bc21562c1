package io.tailrace.operators.evaluation;

import io.tailrace.operators.learning.EvaluationTotals;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.GenerationReplay;
import io.tailrace.suffix.strategy.StrategyChoice;

/** One choice as a replica counts it, with a drafter of its own. One thread. */
abstract class CountedChoice {
    final GenerationReplay drafting = new GenerationReplay();

    /**
     * The live strategy otherwise: it learns, at the live pace, what it would have learned had it been live all along.
     *
     * @param weights to begin with; null, or of another layout: the product's
     */
    static CountedChoice learning(ChoiceVariant variant, float[] weights) {
        return new Learning(variant, weights);
    }

    /** A published method: its drafter learns nothing that could be kept, and starts as a worker's does. */
    static CountedChoice published(StrategyChoice strategy) {
        return new Published(strategy.drafter(new float[0]));
    }

    /** What it gives on one generation. */
    final EvaluationTotals count(EvaluationSample sample, LaneIndex index, int budget, float hurry) {
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
    abstract float[] weights();

    private static final class Learning extends CountedChoice {
        private final ChoiceVariant variant;
        private final Mixer mixer = Mixer.defaults();
        private final AdaptiveDrafter drafter = new AdaptiveDrafter(mixer, Replica.UNLIMITED);

        private Learning(ChoiceVariant variant, float[] weights) {
            this.variant = variant;
            Replica.takeUp(mixer, weights);
        }

        @Override
        void evaluate(EvaluationSample sample, LaneIndex index, int budget, float hurry) {
            mixer.hurry(hurry);
            drafting.walk(drafter, sample.prompt(), sample.response(), variant.index(index), variant.budget(budget));
        }

        @Override
        float[] weights() {
            return mixer.weights();
        }
    }

    private static final class Published extends CountedChoice {
        private final Drafter drafter;

        private Published(Drafter drafter) {
            this.drafter = drafter;
        }

        @Override
        void evaluate(EvaluationSample sample, LaneIndex index, int budget, float hurry) {
            drafting.run(drafter, sample.prompt(), sample.response(), index, budget);
        }

        @Override
        float[] weights() {
            return null;
        }
    }
}
