package io.tailrace.agent.serve;

import io.tailrace.agent.engine.DraftAnswer;

/**
 * When an engine's next step is expected, and when to rehearse for it: a few times from {@link #AHEAD_NANOS} before, so that one of them comes
 * just before the step though it is early or late. Where steps follow each other closely nothing grows cold between them, and where nothing
 * was looked for in {@link #STEPS_IN_VAIN} steps there is nothing to rehearse for. One thread.
 */
final class StepRhythm {
    static final long AHEAD_NANOS = 2_000_000;
    static final long APART_NANOS = 1_000_000;
    static final int REHEARSALS_MAX = 4;
    static final int STEPS_IN_VAIN = 8;

    private static final long MILLI = 1_000_000;
    private static final int MEAN_STEPS = 16;
    private static final long OUTLIER = 4;

    private long heardNanos;
    private long gapNanos;
    private boolean heard;
    private int rehearsals;
    /** Steps since a request was drafted for. */
    private int undrafted;

    /** A step came. */
    void heard(long nanos) {
        if (heard) {
            long gap = nanos - heardNanos;
            gapNanos = gapNanos == 0 ? gap : gapNanos + (Math.min(gap, OUTLIER * gapNanos) - gapNanos) / MEAN_STEPS;
        }
        heard = true;
        heardNanos = nanos;
        rehearsals = 0;
        undrafted = Math.min(undrafted, STEPS_IN_VAIN) + 1;
    }

    /** This came of a request that asked for a draft in the last step. */
    void came(DraftAnswer what) {
        if (what != DraftAnswer.SKIPPED) {
            undrafted = 0;
        }
    }

    /** A rehearsal was made, or left out. */
    void rehearsed() {
        rehearsals++;
    }

    /** Milliseconds until a rehearsal is due, at least 1; 0: none is, before another step. */
    long millisToRehearsal(long nanos) {
        if (gapNanos < 2 * AHEAD_NANOS || rehearsals == REHEARSALS_MAX || undrafted > STEPS_IN_VAIN) {
            return 0;
        }
        long due = heardNanos + gapNanos - AHEAD_NANOS + rehearsals * APART_NANOS;
        return Math.max(1, (due - nanos) / MILLI);
    }
}
