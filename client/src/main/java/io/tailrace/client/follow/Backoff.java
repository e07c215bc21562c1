package io.tailrace.client.follow;

/**
 * How long to wait before something is tried again: twice as long after each failure in a row.
 *
 * @param millisMin after the first failure, at least 1
 * @param millisMax at most
 */
public record Backoff(long millisMin, long millisMax) {
    private static final int DOUBLINGS_MAX = 20;

    public Backoff {
        if (millisMin < 1) {
            throw new IllegalArgumentException("millisMin must be at least 1, got " + millisMin);
        }
        if (millisMax < millisMin) {
            throw new IllegalArgumentException("millisMax must be at least millisMin, got " + millisMax);
        }
    }

    /** Wait before the attempt after so many failures in a row; 0 without any. */
    public long millis(int failures) {
        return failures < 1 ? 0 : Math.min(millisMax, millisMin << Math.min(DOUBLINGS_MAX, failures - 1));
    }
}
