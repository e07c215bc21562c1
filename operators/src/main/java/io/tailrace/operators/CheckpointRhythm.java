package io.tailrace.operators;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * When the next checkpoint will pass an operator, foretold from those that have passed. What is announced becomes visible with a
 * checkpoint, so work that ends shortly before one is seen soonest, and work that ends shortly after it waits for the next.
 *
 * <p>Checkpoints are triggered at an even pace and arrive sooner or later after that, as the tasks before are busy. So the pace is
 * taken from the times at which they were triggered, the median of the last few intervals (a savepoint in between does not change
 * it), and the way from there as the shortest of late: what is foretold is the earliest that is likely. The clock that triggers may
 * be another than this machine's, since only differences are used. A wrong prophecy costs freshness and nothing else. Not thread-safe.
 */
public final class CheckpointRhythm {
    private static final int WAYS = 5;
    private static final long NEVER = Long.MIN_VALUE;

    private final RecentMedian intervals = new RecentMedian();
    private final long[] ways = new long[WAYS];
    private long passes;
    private long triggeredAt = NEVER;

    /**
     * A checkpoint passes now.
     *
     * @param triggered when it was triggered, by whatever clock
     */
    public void passed(long nowMillis, long triggered) {
        if (triggeredAt != NEVER && triggered > triggeredAt) {
            intervals.add(triggered - triggeredAt);
        }
        triggeredAt = triggered;
        if (passes == 0) {
            Arrays.fill(ways, nowMillis - triggered);
        }
        ways[(int) (passes++ % WAYS)] = nowMillis - triggered;
    }

    /** When the first checkpoint passes that passes at {@code earliest} or later; empty if that cannot be told. */
    public OptionalLong next(long nowMillis, long earliest) {
        long interval = intervals.value();
        if (interval == 0) {
            return OptionalLong.empty();
        }
        long expected = triggeredAt + Arrays.stream(ways).min().orElseThrow();
        if (expected > nowMillis) {
            return OptionalLong.empty(); // the clock was set back
        }
        long missed = Math.max(0, earliest - expected - 1);
        return OptionalLong.of(expected + (missed / interval + 1) * interval);
    }

    /** The median of the last five numbers: one that is far off changes nothing, a change of habit is believed at the third. */
    public static final class RecentMedian {
        private static final int KEPT = 5;

        private final long[] last = new long[KEPT];
        private int seen;

        public void add(long value) {
            last[seen++ % KEPT] = value;
            seen = seen == 2 * KEPT ? KEPT : seen;
        }

        /** 0 before the first. */
        public long value() {
            int known = Math.min(seen, KEPT);
            long[] sorted = Arrays.copyOf(last, known);
            Arrays.sort(sorted);
            return known == 0 ? 0 : sorted[known / 2];
        }
    }
}
