package io.tailrace.operators.indexing;

/**
 * What a shard has done since its state began.
 *
 * @param recordsAdmitted generations taken in, those deleted on arrival included
 * @param recordsDuplicate repeats dropped
 * @param recordsRejected generations refused for the quota
 * @param tokensAdmitted tokens of the admitted ones
 * @param tokensDeleted tokens forgotten before they were in a segment
 */
public record ShardCounters(
        long recordsAdmitted, long recordsDuplicate, long recordsRejected, long tokensAdmitted, long tokensDeleted) {
    public static final ShardCounters ZERO = new ShardCounters(0, 0, 0, 0, 0);

    ShardCounters plusAdmitted(int tokens) {
        return new ShardCounters(
                recordsAdmitted + 1, recordsDuplicate, recordsRejected, tokensAdmitted + tokens, tokensDeleted);
    }

    ShardCounters plusDuplicate() {
        return new ShardCounters(recordsAdmitted, recordsDuplicate + 1, recordsRejected, tokensAdmitted, tokensDeleted);
    }

    ShardCounters plusRejected() {
        return new ShardCounters(recordsAdmitted, recordsDuplicate, recordsRejected + 1, tokensAdmitted, tokensDeleted);
    }

    ShardCounters plusDeleted(long tokens) {
        return new ShardCounters(
                recordsAdmitted, recordsDuplicate, recordsRejected, tokensAdmitted, tokensDeleted + tokens);
    }
}
