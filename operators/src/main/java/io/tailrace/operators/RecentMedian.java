package io.tailrace.operators;

import java.util.Arrays;

/** The median of the last five numbers: one that is far off changes nothing, a change of habit is believed at the third. */
public final class RecentMedian {
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
