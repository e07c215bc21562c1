package io.tailrace.worker.follow;

import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.lane.FreshIndex;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The finished generations of one lane that no loaded snapshot holds yet: the worker's own from the moment they are finished,
 * those of others from the moment the worker has heard of them ({@link AdmittedTail}). The index drops by time only, so a generation goes
 * when it and all older ones are folded ({@link FoldLedger}). Deletes are remembered: an answer that was completed before one may
 * be added after it. Safe for any number of threads.
 */
final class FreshGenerations {
    /** More deleted requests are not remembered; those deleted first go first. */
    static final int DELETES_MAX = 4_096;

    private final FreshIndex index;
    private final FoldLedger ledger = new FoldLedger();
    private final Map<RequestHash, Long> deletedAt = new LinkedHashMap<>();
    private long allDeletedUntil = Long.MIN_VALUE;

    /**
     * None yet.
     *
     * @param tokensMax oldest generations are dropped above it; 0: the worker does not draft from answers until a
     *     snapshot holds them
     */
    FreshGenerations(int tokensMax) {
        this.index = tokensMax == 0 ? null : new FreshIndex(tokensMax);
    }

    /** What drafts look into, or null. */
    OccurrenceIndex index() {
        return index;
    }

    /** Adds a generation, unless it is here already, or was, or is deleted; true if it was added. */
    synchronized boolean add(RequestHash request, int[] tokens, long completedAtMillis) {
        if (index == null
                || ledger.knows(request)
                || ledger.isPast(completedAtMillis)
                || isDeleted(request, completedAtMillis)) {
            return false;
        }
        index.add(tokens, completedAtMillis);
        drop(ledger.add(completedAtMillis, request));
        return true;
    }

    private boolean isDeleted(RequestHash request, long completedAtMillis) {
        return completedAtMillis <= Math.max(allDeletedUntil, deletedAt.getOrDefault(request, Long.MIN_VALUE));
    }

    /** A snapshot was loaded that holds generations of these completion times and its forerunner did not. */
    synchronized void folded(long[] completionTimes) {
        drop(ledger.fold(completionTimes));
    }

    /** Forgets a request as deleted then; those completed before it go with it, since the index drops by time only. */
    synchronized void forget(String requestId, long deletedAtMillis) {
        RequestHash request = RequestHash.of(requestId);
        deletedAt.merge(request, deletedAtMillis, Math::max);
        if (deletedAt.size() > DELETES_MAX) {
            deletedAt.remove(deletedAt.keySet().iterator().next());
        }
        drop(ledger.forget(request));
    }

    /** Forgets everything completed until then. */
    synchronized void forgetUntil(long millis) {
        allDeletedUntil = Math.max(allDeletedUntil, millis);
        ledger.forgetUntil(millis);
        drop(millis);
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
