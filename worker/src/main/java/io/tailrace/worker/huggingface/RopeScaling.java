package io.tailrace.worker.huggingface;

/** How a model stretches its rotary frequencies beyond the context length it was first trained on. */
public sealed interface RopeScaling {
    /** The frequency to use in place of an unscaled one, in radians a position. */
    double scale(double frequency);

    /** Frequencies as they are. */
    record None() implements RopeScaling {
        @Override
        public double scale(double frequency) {
            return frequency;
        }
    }

    /**
     * All frequencies divided by one factor.
     *
     * @param factor at least 1
     */
    record Linear(double factor) implements RopeScaling {
        @Override
        public double scale(double frequency) {
            return frequency / factor;
        }
    }

    /**
     * Llama 3.1: waves much shorter than the first context stay, much longer ones are divided by the factor, those between
     * go over smoothly.
     *
     * @param factor division of the long waves
     * @param lowFrequencyFactor waves longer than {@code originalContext / lowFrequencyFactor} are long
     * @param highFrequencyFactor waves shorter than {@code originalContext / highFrequencyFactor} are short
     * @param originalContext the context length of the first training
     */
    record Llama3(double factor, double lowFrequencyFactor, double highFrequencyFactor, int originalContext)
            implements RopeScaling {
        @Override
        public double scale(double frequency) {
            double wavesInContext = originalContext * frequency / (2 * Math.PI);
            double share = (wavesInContext - lowFrequencyFactor) / (highFrequencyFactor - lowFrequencyFactor);
            double kept = Math.min(1, Math.max(0, share));
            return kept * frequency + (1 - kept) * frequency / factor;
        }
    }
}
