package io.tailrace.worker.follow;

import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.lane.FreshIndex;

/**
 * The worker's own finished generations of one lane: searchable the moment one is finished, dropped once a loaded snapshot
 * holds it. The index drops by time only, so a generation goes when it and all older ones are folded ({@link FoldLedger}).
 * Safe for any number of threads.
 */
final class OwnGenerations {
    private final FreshIndex index;
    private final FoldLedger ledger = new FoldLedger();

    /**
     * Nothing finished yet.
     *
     * @param tokensMax oldest generations are dropped above it; 0: the worker does not draft from its own answers until a
     *     snapshot holds them
     */
    OwnGenerations(int tokensMax) {
        this.index = tokensMax == 0 ? null : new FreshIndex(tokensMax);
    }

    /** What drafts look into, or null. */
    OccurrenceIndex index() {
        return index;
    }

    synchronized void add(String requestId, int[] tokens, long completedAtMillis) {
        if (index != null) {
            index.add(tokens, completedAtMillis);
            ledger.add(completedAtMillis, RequestHash.of(requestId));
        }
    }

    /** A snapshot was loaded that holds generations of these completion times and its forerunner did not. */
    synchronized void folded(long[] completionTimes) {
        drop(ledger.fold(completionTimes));
    }

    /** Forgets a request; those completed before it go with it, since the index drops by time only. */
    synchronized void forget(String requestId) {
        drop(ledger.forget(RequestHash.of(requestId)));
    }

    /** Forgets everything completed until then. */
    synchronized void forgetUntil(long millis) {
        drop(ledger.forgetUntil(millis));
    }

    synchronized long tokens() {
        return index == null ? 0 : index.tokens();
    }

    private void drop(long untilMillis) {
        if (index != null && untilMillis != FoldLedger.NOTHING) {
            index.dropCompletedUntil(untilMillis);
        }
    }
}
