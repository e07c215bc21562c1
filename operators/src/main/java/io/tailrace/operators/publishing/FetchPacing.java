package io.tailrace.operators.publishing;

/**
 * How far apart a lane's announcements are that bring new answers and nothing else. Each makes every follower fetch the newest segment, while
 * topic {@code admitted} has brought it those answers already. So the more followers there are, the fewer announcements: together they fetch no more
 * than {@link #BYTES_PER_SECOND_MAX} of a lane's newest segments, until announcements are {@link #MILLIS_MAX} apart.
 */
final class FetchPacing {
    static final long BYTES_PER_SECOND_MAX = 100_000_000;
    /** Freshness by snapshots, of workers that do not listen to topic admitted, stays within ten seconds. */
    static final long MILLIS_MAX = 5_000;

    private FetchPacing() {}

    /**
     * Time from one announcement to the next.
     *
     * @param announceMillis least time between two announcements, whatever they bring
     * @param followers live workers that serve the lane
     * @param newestBytes size of the newest segment
     * @return {@code announceMillis} or more
     */
    static long millis(long announceMillis, int followers, long newestBytes) {
        double fetching = 1_000.0 * followers * newestBytes / BYTES_PER_SECOND_MAX;
        return Math.max(announceMillis, (long) Math.min(fetching, MILLIS_MAX));
    }
}
