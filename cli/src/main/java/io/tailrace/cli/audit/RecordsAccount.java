package io.tailrace.cli.audit;

import java.util.Map;

/**
 * What a job says of records.
 *
 * @param ofLanes read by the lanes' accounts, which are told each in its own time
 * @param numbers of the last account without a lane, all of one moment
 * @param told false: a job has started, and has not told yet what was before
 */
public record RecordsAccount(long ofLanes, Map<String, Long> numbers, boolean told) {
    /** Refused before they reached a lane. */
    long refused() {
        return number("recordsRejected");
    }

    /** Removed by the topic's retention before the job read them. */
    long lost() {
        return number("recordsLost");
    }

    /** Read or lost of topics before this one: those of another Kafka, or deleted ones. */
    long before() {
        return number("recordsBefore");
    }

    /** Read or lost, counted where they came in. */
    long passed() {
        return number("recordsPassed");
    }

    /** Those passed that are not accounted for at the same moment: neither lost, nor refused, nor counted by a shard. Negative: more are accounted for. */
    long missing() {
        return passed() - lost() - refused() - number("recordsTaken");
    }

    /** By all accounts. */
    long read() {
        return refused() + ofLanes;
    }

    long ofThisTopic() {
        return read() + lost() - before();
    }

    /** Records of those ever written that no account names yet, at most. */
    long waiting(long written) {
        return Math.max(0, written - ofThisTopic());
    }

    private long number(String name) {
        return numbers.getOrDefault(name, 0L);
    }
}
