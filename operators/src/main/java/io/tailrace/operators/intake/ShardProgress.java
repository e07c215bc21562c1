package io.tailrace.operators.intake;

import io.tailrace.operators.admission.AdmittedGeneration;

/**
 * What a shard passes on to its lane: where it stands, and the generation that brought it there, if that is to be indexed.
 *
 * @param generation null if only numbers changed
 */
public record ShardProgress(String lane, int shard, Counters counters, AdmittedGeneration generation) {

    /**
     * What a shard has done since its state began.
     *
     * @param recordsAdmitted generations taken in, those deleted on arrival included
     * @param recordsDuplicate repeats dropped
     * @param recordsRejected generations refused for a quota
     * @param tokensAdmitted tokens of the admitted ones
     * @param tokensDeleted tokens forgotten on arrival, for a delete covers them
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
}
