package io.tailrace.operators.indexing;

import io.tailrace.operators.store.StoredSegment;
import java.util.Map;

/**
 * What a shard reports to its lane: where it stands, and the segment it has just written, if any. The numbers of one report
 * belong together: admitted tokens = memtable + deleted + everything flushed up to and including this segment.
 *
 * @param memtableTokens tokens not yet in a segment
 * @param flushed null if only numbers changed
 */
public record ShardProgress(String lane, int shard, Counters counters, long memtableTokens, Flushed flushed) {

    /**
     * What a shard has done since its state began.
     *
     * @param recordsAdmitted generations taken in, those deleted on arrival included
     * @param recordsDuplicate repeats dropped
     * @param recordsRejected generations refused for a quota
     * @param tokensAdmitted tokens of the admitted ones
     * @param tokensDeleted tokens forgotten before they were in a segment
     */
    public record Counters(
            long recordsAdmitted,
            long recordsDuplicate,
            long recordsRejected,
            long tokensAdmitted,
            long tokensDeleted) {
        public static final Counters ZERO = new Counters(0, 0, 0, 0, 0);

        /** All of them, whatever became of them. */
        long records() {
            return recordsAdmitted + recordsDuplicate + recordsRejected;
        }

        Counters plusAdmitted(int tokens) {
            return new Counters(
                    recordsAdmitted + 1, recordsDuplicate, recordsRejected, tokensAdmitted + tokens, tokensDeleted);
        }

        Counters plusDuplicate() {
            return new Counters(recordsAdmitted, recordsDuplicate + 1, recordsRejected, tokensAdmitted, tokensDeleted);
        }

        Counters plusRejected() {
            return new Counters(recordsAdmitted, recordsDuplicate, recordsRejected + 1, tokensAdmitted, tokensDeleted);
        }

        Counters plusDeleted(long tokens) {
            return new Counters(
                    recordsAdmitted, recordsDuplicate, recordsRejected, tokensAdmitted, tokensDeleted + tokens);
        }
    }

    /**
     * A durable level-0 segment and what it holds.
     *
     * @param segment where it lies
     * @param completionTimes of its generations, epoch milliseconds
     * @param offsets newest offset it holds of each partition of topic generations
     */
    public record Flushed(StoredSegment segment, long[] completionTimes, Map<Integer, Long> offsets) {}
}
