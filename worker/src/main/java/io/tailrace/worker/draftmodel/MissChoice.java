package io.tailrace.worker.draftmodel;

import io.tailrace.worker.speculation.Fallback;
import io.tailrace.worker.speculation.Fallback.Backup;

/**
 * Whether to draft after a miss: yes up to the critical batch ({@link Fallback}), by what was seen so far, as means that forget.
 * The fast backup is no draft at all. Where it says no, one miss in {@value #LOOK_EVERY} is drafted for all the same, so that a change is
 * noticed.
 */
final class MissChoice {
    private static final int LOOK_EVERY = 32;
    private static final int TRUSTED_FROM = 64;
    private static final double FORGETS = 1 / 64.0;

    private final Mean hits = new Mean();
    private final Mean tokensAfterHit = new Mean();
    private final Mean tokensAfterMiss = new Mean();
    private final Mean verifyNanos = new Mean();
    private final Mean prepareNanos = new Mean();
    private final Mean draftNanos = new Mean();
    private long hitCount;
    private long endings;
    private long refused;

    /** A verification ended; its next draft was there, or not. */
    void looked(boolean hit) {
        endings++;
        hitCount += hit ? 1 : 0;
        hits.add(hit ? 1 : 0);
    }

    long hits() {
        return hitCount;
    }

    /** Tokens of a round with a draft that was prepared, or that was waited for. */
    void round(boolean afterHit, int tokens) {
        (afterHit ? tokensAfterHit : tokensAfterMiss).add(tokens);
    }

    void verified(long nanos) {
        verifyNanos.add(nanos);
    }

    void prepared(long nanos) {
        prepareNanos.add(nanos);
    }

    void drafted(long nanos) {
        draftNanos.add(nanos);
    }

    /** Whether to draft for the misses of a batch of so many requests. */
    boolean draft(int batch) {
        if (hits.count < TRUSTED_FROM || tokensAfterMiss.count < TRUSTED_FROM || batch <= criticalBatch()) {
            return true;
        }
        return ++refused % LOOK_EVERY == 0;
    }

    private double criticalBatch() {
        double step = Math.max(1, verifyNanos.mean);
        return new Fallback(
                        Math.min(1, hits.mean),
                        Math.max(1, tokensAfterHit.mean),
                        prepareNanos.mean / step,
                        new Backup(Math.max(1, tokensAfterMiss.mean), draftNanos.mean / step),
                        new Backup(1, 0))
                .criticalBatch();
    }

    @Override
    public String toString() {
        return "%,d verifications with drafts for their endings, %,d ended as foreseen; tokens a round %.2f after a hit, %.2f after a miss; verifying %.0f us, preparing %.0f us, drafting %.0f us; critical batch %.1f"
                .formatted(
                        endings,
                        hitCount,
                        tokensAfterHit.mean,
                        tokensAfterMiss.mean,
                        verifyNanos.mean / 1e3,
                        prepareNanos.mean / 1e3,
                        draftNanos.mean / 1e3,
                        criticalBatch());
    }

    /** A mean that forgets. */
    private static final class Mean {
        private double mean;
        private long count;

        void add(long value) {
            count++;
            mean += (value - mean) * Math.max(FORGETS, 1.0 / count);
        }
    }
}
