package io.tailrace.lab.chaos;

/**
 * One fault of a schedule.
 *
 * @param kind what is broken
 * @param seconds from its begin to its heal
 * @param gapSeconds between the recovery from the one before and its begin
 * @param draw decides what the kind leaves open: which process, which file, ahead or behind
 */
record PlannedFault(FaultKind kind, int seconds, int gapSeconds, int draw) {
    PlannedFault {
        if (seconds < 0 || gapSeconds < 0 || draw < 0) {
            throw new IllegalArgumentException("seconds, gapSeconds and draw must not be negative, got %d, %d and %d"
                    .formatted(seconds, gapSeconds, draw));
        }
    }

    /** One of {@code count}, numbered from 0. */
    int choice(int count) {
        return draw % count;
    }
}
