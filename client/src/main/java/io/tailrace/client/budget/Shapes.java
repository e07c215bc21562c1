package io.tailrace.client.budget;

import java.util.BitSet;

/** The shapes of step that an engine has made: by batch, as {@link StepCosts} tells batches apart, and draft tokens, above {@value #EXACT} of these in eight an octave. One thread. */
final class Shapes {
    private static final int EXACT = 32;
    /** Shapes of a batch, up to as many draft tokens as an int has. */
    private static final int PER_BATCH = 256;

    private final BitSet made = new BitSet();

    /** True if the engine makes this one for the first time. */
    boolean add(int batch, int tokens) {
        int shape = StepCosts.rowOf(batch) * PER_BATCH + of(Math.max(0, tokens - batch));
        boolean first = !made.get(shape);
        made.set(shape);
        return first;
    }

    private static int of(int draftTokens) {
        if (draftTokens < EXACT) {
            return draftTokens;
        }
        int octave = 31 - Integer.numberOfLeadingZeros(draftTokens);
        return EXACT + 8 * (octave - 5) + (draftTokens >>> (octave - 3) & 7);
    }
}
