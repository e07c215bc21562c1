package io.tailrace.agent.serve;

import java.util.Map;
import java.util.TreeMap;

/** The reports of an engine that are not handed on yet, by the STEP in which their requests ended. Safe for any number of threads. */
final class OutstandingReports {
    /** How many of each STEP. */
    private final TreeMap<Long, Integer> bySequence = new TreeMap<>();

    /** A request has ended in this STEP; its report is on its way. */
    synchronized void add(long sequence) {
        bySequence.merge(sequence, 1, Integer::sum);
    }

    /** One of this STEP's reports is handed on, or given up. */
    synchronized void done(long sequence) {
        bySequence.computeIfPresent(sequence, (step, count) -> count == 1 ? null : count - 1);
    }

    /**
     * The last STEP up to which nothing is outstanding.
     *
     * @param last at most this one
     */
    synchronized long safeUpTo(long last) {
        Map.Entry<Long, Integer> lowest = bySequence.firstEntry();
        return lowest == null ? last : Math.min(last, lowest.getKey() - 1);
    }
}
