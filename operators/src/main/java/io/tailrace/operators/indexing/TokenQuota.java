package io.tailrace.operators.indexing;

/**
 * A shard's part of its scope's token quota: a bucket that refills evenly and holds one minute's worth. It starts full, so a
 * restart grants at most one minute's worth again.
 */
public final class TokenQuota {
    private static final double MINUTE_MILLIS = 60_000;

    private final double capacity;
    private double available;
    private long refilledAt = Long.MIN_VALUE;

    /** A quota of so many tokens a minute; 0 for no limit. */
    public TokenQuota(double tokensPerMinute) {
        this.capacity = tokensPerMinute == 0 ? Double.POSITIVE_INFINITY : tokensPerMinute;
        this.available = capacity;
    }

    /** Takes the tokens if they are there. */
    public boolean take(int tokens, long nowMillis) {
        if (Double.isInfinite(capacity)) {
            return true;
        }
        refill(nowMillis);
        if (tokens > available) {
            return false;
        }
        available -= tokens;
        return true;
    }

    private void refill(long nowMillis) {
        if (refilledAt != Long.MIN_VALUE && nowMillis > refilledAt) {
            available = Math.min(capacity, available + capacity * (nowMillis - refilledAt) / MINUTE_MILLIS);
        }
        refilledAt = Math.max(refilledAt, nowMillis);
    }
}
