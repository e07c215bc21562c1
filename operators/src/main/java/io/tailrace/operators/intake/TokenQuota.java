package io.tailrace.operators.intake;

/**
 * A shard's part of a token quota: a bucket that refills evenly and holds one minute's worth. A scope's starts full, so a
 * restart grants at most one minute's worth again.
 *
 * <p>Times may fall a little, since records come from several brokers: that grants nothing. One that falls by
 * {@value #CLOCK_BACK_MILLIS} ms and more is a clock that was ahead and has been put right; from there the bucket refills.
 */
public final class TokenQuota {
    static final long MINUTE_MILLIS = 60_000;
    static final long CLOCK_BACK_MILLIS = 3_600_000;
    private static final long NOT_YET = Long.MIN_VALUE;

    private final double capacity;
    private double available;
    private long refilledAt = NOT_YET;

    /** A full bucket of so many tokens a minute; 0 for no limit. */
    public TokenQuota(double tokensPerMinute) {
        this(tokensPerMinute, tokensPerMinute);
    }

    /**
     * A bucket that begins with some tokens.
     *
     * @param tokensPerMinute 0 for no limit
     */
    TokenQuota(double tokensPerMinute, double available) {
        this.capacity = tokensPerMinute == 0 ? Double.POSITIVE_INFINITY : tokensPerMinute;
        this.available = tokensPerMinute == 0 ? capacity : available;
    }

    /** Whether the tokens are there. */
    public boolean covers(int tokens, long nowMillis) {
        refill(nowMillis);
        return tokens <= available;
    }

    /** Takes the tokens if they are there. */
    public boolean take(int tokens, long nowMillis) {
        boolean covered = covers(tokens, nowMillis);
        available -= covered ? tokens : 0;
        return covered;
    }

    /** Half of what is there, which is then gone. */
    double takeHalf(long nowMillis) {
        refill(nowMillis);
        available /= 2;
        return available;
    }

    private void refill(long nowMillis) {
        if (refilledAt != NOT_YET && nowMillis > refilledAt) {
            available = Math.min(capacity, available + capacity * (nowMillis - refilledAt) / MINUTE_MILLIS);
        }
        if (refilledAt == NOT_YET || nowMillis > refilledAt || nowMillis <= refilledAt - CLOCK_BACK_MILLIS) {
            refilledAt = nowMillis;
        }
    }
}
