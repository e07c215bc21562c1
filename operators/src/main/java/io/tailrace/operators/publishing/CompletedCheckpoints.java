package io.tailrace.operators.publishing;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Up to when it is certain that what the lanes no longer named is named by no checkpoint that the job may go back to. Where checkpoints are taken and do not
 * complete, the job would go back to an old one. One thread.
 */
final class CompletedCheckpoints {
    /** Of those that were taken and are not complete, when, by number. */
    private final NavigableMap<Long, Long> pending = new TreeMap<>();

    private long completeAt = Long.MIN_VALUE;

    /** A checkpoint is taken. */
    void taken(long id, long nowMillis) {
        pending.put(id, nowMillis);
    }

    /** It is complete; those before it count no more. */
    void complete(long id) {
        NavigableMap<Long, Long> upTo = pending.headMap(id, true);
        if (!upTo.isEmpty()) {
            completeAt = upTo.lastEntry().getValue();
            upTo.clear();
        }
    }

    /** What was named last before then may go, epoch milliseconds. Before the first checkpoint since a start nothing is known of any. */
    long to() {
        return pending.isEmpty() && completeAt == Long.MIN_VALUE ? Long.MAX_VALUE : completeAt;
    }
}
