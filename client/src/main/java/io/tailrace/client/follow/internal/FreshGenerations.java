package io.tailrace.client.follow.internal;

import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The finished generations of one lane that no loaded snapshot holds yet: the worker's own from the moment they are finished,
 * those of others from the moment the worker has heard of them ({@link AdmittedTail}). The index drops by time only, so a generation goes
 * when it and all older ones are folded ({@link FoldLedger}). Above the lane's limit the oldest go, and above that of all lanes, too ({@link
 * FreshRoom}); the ledger decides and the index follows, so that none is drafted from that could not be found to delete. Deletes are
 * remembered: an answer that was completed before one may be added after it. Safe for any number of threads.
 */
final class FreshGenerations {
    /** More deleted requests are not remembered; those deleted first go first. */
    static final int DELETES_MAX = 4_096;
    /**
     * What an answer takes beside its tokens, told in tokens of 8 bytes: some 130 bytes, most of them in the ledger, 160 of its prompt's signature, and up
     * to 900 of that one's postings, which are made when a request looks for similar ones.
     */
    static final int ANSWER_TOKENS = 150;
    /** Where a limit is passed, so much of what is held goes, so that not every answer has to make room for itself. */
    static final int FREED_SHARE = 8;

    private final int tokensMax;
    private final FreshIndex index;
    private final FoldLedger ledger = new FoldLedger();
    private final Map<RequestHash, Long> deletedAt = new LinkedHashMap<>();
    private long allDeletedUntil = Long.MIN_VALUE;
    private volatile long held;
    private long givenUp;

    /**
     * None yet.
     *
     * @param tokensMax oldest generations are dropped above it; 0: the worker does not draft from answers until a
     *     snapshot holds them
     */
    FreshGenerations(int tokensMax) {
        this.tokensMax = tokensMax;
        this.index = tokensMax == 0 ? null : new FreshIndex(Integer.MAX_VALUE);
    }

    /** What drafts look into, or null. */
    OccurrenceIndex index() {
        return index;
    }

    /** Adds a generation, unless it is here already, or was, or is deleted; true if it was added. */
    synchronized boolean add(RequestHash request, RememberedAnswer answer, long completedAtMillis) {
        int tokens = answer.promptTail().length + answer.tokens().length;
        if (index == null
                || tokens > tokensMax
                || ledger.knows(request)
                || ledger.isPast(completedAtMillis)
                || isDeleted(request, completedAtMillis)) {
            return false;
        }
        long all = ledger.tokens() + tokens;
        index.add(answer, completedAtMillis);
        drop(ledger.add(completedAtMillis, request, tokens));
        if (ledger.tokens() > tokensMax) {
            drop(ledger.dropOldest(ledger.tokens() - (tokensMax - tokensMax / FREED_SHARE), 0));
        }
        givenUp(all);
        return true;
    }

    /** The oldest give way until so much is gone, in tokens and {@link #ANSWER_TOKENS} for each. */
    synchronized void giveUp(long less) {
        long all = ledger.tokens();
        drop(ledger.dropOldest(less, ANSWER_TOKENS));
        givenUp(all);
    }

    private boolean isDeleted(RequestHash request, long completedAtMillis) {
        return completedAtMillis <= Math.max(allDeletedUntil, deletedAt.getOrDefault(request, Long.MIN_VALUE));
    }

    /**
     * A generation that is stamped later than now was completed by a clock that was ahead and has been put back: it counts as completed now. Else it would
     * outlive the folds and deletes of as long as the clock was ahead, and whatever is completed meanwhile would go before it.
     */
    synchronized void lookAtClock(long nowMillis) {
        if (ledger.cap(nowMillis)) {
            index.capCompleted(nowMillis);
        }
    }

    /** A snapshot was loaded that holds generations of these completion times and its forerunner did not. */
    synchronized void folded(long[] completionTimes, long nowMillis) {
        drop(ledger.fold(completionTimes, nowMillis));
        lookAtClock(nowMillis);
        weigh();
    }

    /** Forgets a request as deleted then; those completed before it go with it, since the index drops by time only. */
    synchronized void forget(String requestId, long deletedAtMillis) {
        RequestHash request = RequestHash.of(requestId);
        deletedAt.merge(request, deletedAtMillis, Math::max);
        if (deletedAt.size() > DELETES_MAX) {
            deletedAt.remove(deletedAt.keySet().iterator().next());
        }
        drop(ledger.forget(request));
        weigh();
    }

    /** Forgets everything completed until then. */
    synchronized void forgetUntil(long millis) {
        allDeletedUntil = Math.max(allDeletedUntil, millis);
        ledger.forgetUntil(millis);
        drop(millis);
        weigh();
    }

    synchronized long tokens() {
        return index == null ? 0 : index.tokens();
    }

    /** What is held takes so much: its tokens, and {@link #ANSWER_TOKENS} for each answer. Waits for nobody. */
    long held() {
        return held;
    }

    /** Tokens of answers that had to go, since there were too many, before a snapshot had them. */
    synchronized long givenUp() {
        return givenUp;
    }

    private void givenUp(long tokensBefore) {
        givenUp += tokensBefore - ledger.tokens();
        weigh();
    }

    private void weigh() {
        held = ledger.tokens() + (long) ANSWER_TOKENS * ledger.size();
    }

    private void drop(long untilMillis) {
        if (index != null && untilMillis != FoldLedger.NOTHING) {
            index.dropCompletedUntil(untilMillis);
        }
    }
}
