package io.tailrace.lab.load;

/**
 * How fast requests are dealt.
 *
 * @param requestsPerSecond over all workers; {@link Double#POSITIVE_INFINITY}: as fast as they serve, which makes freshness
 *     meaningless
 * @param requestsMax the load ends after so many
 * @param queuedMax requests that wait for one worker at most; a full queue holds the dealing up
 */
public record PaceOptions(double requestsPerSecond, long requestsMax, int queuedMax) {
    /**
     * Requests a second and worker of a real server: ten a second over four workers that each run an 8B model on one GPU
     * and answer with some 200 tokens.
     */
    public static final double REQUESTS_PER_SECOND_OF_ONE_SERVER = 2.5;

    public PaceOptions {
        if (!(requestsPerSecond > 0)) {
            throw new IllegalArgumentException("requestsPerSecond must be above 0, got " + requestsPerSecond);
        }
        if (requestsMax < 0 || queuedMax < 1) {
            throw new IllegalArgumentException(
                    "requestsMax must not be negative and queuedMax at least 1, got %d and %d"
                            .formatted(requestsMax, queuedMax));
        }
    }

    /** The pace of so many real servers, no limit of requests, 64 queued a worker. */
    public static PaceOptions ofRealServers(int workers) {
        return new PaceOptions(REQUESTS_PER_SECOND_OF_ONE_SERVER * workers, Long.MAX_VALUE, 64);
    }

    public PaceOptions withRequestsPerSecond(double pace) {
        return new PaceOptions(pace, requestsMax, queuedMax);
    }

    public PaceOptions withRequestsMax(long max) {
        return new PaceOptions(requestsPerSecond, max, queuedMax);
    }

    /** When a request is due, in nanoseconds after the start. */
    long dueNanos(long request) {
        return (long) (request / requestsPerSecond * 1e9);
    }
}
