package io.tailrace.suffix.order;

/**
 * Merges a short order into a long one of the same text.
 *
 * <p>For each position of the short order its place in the long one is searched, galloping from the place before (steps of
 * 1, 2, 4, ..., then by halves); what lies between is copied as it is. So the long order's text is hardly read: the cost is
 * O(s log(l / s)) comparisons and one pass of copying, which beats sorting as long as the one is a few times longer than the
 * other.
 *
 * <p>Texts that repeat very long stretches would make comparisons long: after {@value #STEPS_MAX} tokens compared for each
 * position the insertion gives up, and the caller sorts.
 */
final class OrderInsertion {
    private static final int STEPS_MAX = 64;

    private final int[] rank;
    private final KeyReader reader;
    private long stepsLeft;

    OrderInsertion(TokenRanks ranks) {
        this.rank = ranks.ranks();
        this.reader = new KeyReader(ranks);
    }

    /** The merged order, or null if the text is too repetitive. */
    int[] insert(int[] many, int[] few) {
        int[] merged = new int[many.length + few.length];
        stepsLeft = (long) STEPS_MAX * merged.length;
        int copied = 0;
        int at = 0;
        for (int position : few) {
            int place = placeOf(position, many, copied);
            System.arraycopy(many, copied, merged, at, place - copied);
            at += place - copied;
            merged[at++] = position;
            copied = place;
            if (stepsLeft < 0) {
                return null;
            }
        }
        System.arraycopy(many, copied, merged, at, many.length - copied);
        return merged;
    }

    /** Index of the first of {@code many[from..)} that does not stand before the position. */
    private int placeOf(int position, int[] many, int from) {
        long key = reader.key(position + 1);
        int low = from;
        int high = from;
        for (int step = 1; high < many.length && isBefore(many[high], position, key); step *= 2) {
            low = high + 1;
            high = step < many.length - low ? low + step : many.length;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBefore(many[middle], position, key)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isBefore(int one, int other, long otherKey) {
        long key = reader.key(one + 1);
        if (key != otherKey) {
            return key < otherKey;
        }
        if (reader.reachesStart(key)) {
            return one < other;
        }
        int a = one + 1 - reader.tokensPerKey();
        int b = other + 1 - reader.tokensPerKey();
        int start = a;
        while (rank[a] == rank[b] && rank[a] != 0 && start - a < stepsLeft) {
            a--;
            b--;
        }
        stepsLeft -= start - a + 1L;
        return rank[a] == rank[b] ? one < other : rank[a] < rank[b];
    }
}
