package io.tailrace.operators.evaluation;

/**
 * Bounds what evaluation takes of the machine: a share of one thread's time, with a little saved for bursts. Where more comes
 * than that, as after a restart, samples are skipped.
 */
final class EvaluationAllowance {
    private static final long SAVED_NANOS_MAX = 250_000_000L;

    private final double share;
    private long lastNanos;
    private double saved = SAVED_NANOS_MAX;

    EvaluationAllowance(double share, long nowNanos) {
        this.share = share;
        this.lastNanos = nowNanos;
    }

    /** Whether there is time for one more. */
    boolean allows(long nowNanos) {
        saved = Math.min(SAVED_NANOS_MAX, saved + share * (nowNanos - lastNanos));
        lastNanos = nowNanos;
        return saved > 0;
    }

    /** An evaluation took so long. */
    void spend(long nanos) {
        saved -= nanos;
    }
}
