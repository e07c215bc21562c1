package io.tailrace.lab.chaos;

import java.util.List;

/**
 * How long recoveries took, in milliseconds, nearest rank; of those that there were.
 *
 * @param count of faults that were recovered from
 */
record Recoveries(int count, long p50Millis, long p99Millis, long maxMillis) {
    static Recoveries of(List<FaultOutcome> outcomes) {
        long[] sorted = outcomes.stream()
                .filter(FaultOutcome::recovered)
                .mapToLong(FaultOutcome::recoveryMillis)
                .sorted()
                .toArray();
        return new Recoveries(sorted.length, rank(sorted, 0.5), rank(sorted, 0.99), rank(sorted, 1));
    }

    private static long rank(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
}
