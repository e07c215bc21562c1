package io.tailrace.schemas;

/**
 * Which numbers versions of a lane can have. The job numbers them by its clock, one higher than the last at least, and readers serve the
 * highest. So a number that no clock reaches for long would be the highest for ever: every reader refuses it, and the job never counts on
 * from it.
 */
public final class VersionNumbers {
    /** So far a version may be ahead of its reader's clock: clocks that are further apart are wrong. */
    public static final long AHEAD_MILLIS_MAX = 3_600_000;

    private VersionNumbers() {}

    /** True for what a job may have announced by now. */
    public static boolean isPlausible(long version, long nowMillis) {
        return version > 0 && version - AHEAD_MILLIS_MAX <= nowMillis;
    }

    /**
     * Refuses what is not plausible.
     *
     * @throws IllegalArgumentException if no job can have announced the version by now
     */
    public static void check(long version, long nowMillis) {
        if (!isPlausible(version, nowMillis)) {
            throw new IllegalArgumentException(
                    "version %d is over an hour ahead of this clock (%d); compare the clocks, or find out who else writes the topic"
                            .formatted(version, nowMillis));
        }
    }
}
