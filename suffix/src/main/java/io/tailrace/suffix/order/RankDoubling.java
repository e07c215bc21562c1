package io.tailrace.suffix.order;

import java.util.Arrays;

/**
 * Finishes the sort of groups that share very long stretches of text: prefix doubling (Larsson and Sadakane 2007). If all
 * groups are sorted by their last h tokens, the order of the positions h tokens before sorts them by 2h; so each round
 * doubles the depth and O(log n) rounds suffice, whatever the text.
 *
 * <p>Memory: 4 bytes a token for the ranks, and 8 bytes for each position of the largest group; only if there is a group.
 */
final class RankDoubling {
    private int[] groups = new int[16];
    private int groupCount;

    /** Leaves the positions in {@code [from, to)} of the order for {@link #finish}. */
    void add(int from, int to) {
        if (groupCount + 2 > groups.length) {
            groups = Arrays.copyOf(groups, 2 * groups.length);
        }
        groups[groupCount++] = from;
        groups[groupCount++] = to;
    }

    /**
     * Sorts what was left.
     *
     * @param order sorted but for the groups
     * @param tokenRank ranks of the tokens, shifted by one
     * @param depth tokens that each group's positions share at least
     */
    void finish(int[] order, int[] tokenRank, int depth) {
        if (groupCount == 0) {
            return;
        }
        int[] rankOf = new int[tokenRank.length];
        for (int i = 0; i < order.length; i++) {
            rankOf[order[i]] = i;
        }
        int largest = 0;
        for (int g = 0; g < groupCount; g += 2) {
            setRank(order, rankOf, groups[g], groups[g + 1]);
            largest = Math.max(largest, groups[g + 1] - groups[g]);
        }
        long[] keys = new long[largest];
        for (int shared = depth; groupCount > 0; shared *= 2) {
            refine(order, tokenRank, rankOf, keys, shared);
        }
    }

    private void refine(int[] order, int[] tokenRank, int[] rankOf, long[] keys, int shared) {
        KeySort sort = new KeySort(keys, order);
        int[] round = Arrays.copyOf(groups, groupCount);
        groupCount = 0;
        for (int g = 0; g < round.length; g += 2) {
            int from = round[g];
            int to = round[g + 1];
            for (int i = from; i < to; i++) {
                keys[i - from] = key(order[i], tokenRank, rankOf, shared);
            }
            sort.sort(from, to, from);
            split(order, rankOf, keys, from, to);
        }
    }

    /** Positions whose document starts right there are smallest and differ by position: negative keys. */
    private static long key(int position, int[] tokenRank, int[] rankOf, int shared) {
        int before = position - shared;
        return tokenRank[before + 1] == 0 ? (long) position - Integer.MAX_VALUE : rankOf[before];
    }

    private void split(int[] order, int[] rankOf, long[] keys, int from, int to) {
        int start = from;
        for (int end = from + 1; end <= to; end++) {
            if (end == to || keys[end - from] != keys[start - from]) {
                setRank(order, rankOf, start, end);
                if (end - start > 1) {
                    add(start, end);
                }
                start = end;
            }
        }
    }

    private static void setRank(int[] order, int[] rankOf, int from, int to) {
        for (int i = from; i < to; i++) {
            rankOf[order[i]] = from;
        }
    }
}
