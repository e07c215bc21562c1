package io.tailrace.suffix.order;

import java.util.Arrays;

/**
 * Merges the orders of two sets of documents of one text without comparing texts.
 *
 * <p><b>Idea.</b> Where a position stands among another set's is known from where the position before it stands there: of the
 * entries that end with the same token, those stand before it whose predecessors stand before its predecessor (the last-to-first
 * mapping of Ferragina and Manzini 2000, used for merging as Sirén does in "Compressed suffix arrays for massive data", 2009). So the shorter
 * set's documents are walked from their starts, and each step is one binary search among the entries of one token, by the places of
 * their predecessors. A document's first position has none; such entries come first and are in the order of position.
 *
 * <p><b>Cost.</b> Two writes at random for each entry of the longer order, a search for each of the shorter; no matter how long the
 * stretches are that documents share. Memory: 8 bytes a token, and 4 for each of the shorter order.
 */
final class OrderMerge {
    private static final int START = -1;

    private final TokenRanks ranks;
    private final int[] rank;
    /** By position: of the longer order its index, of the shorter its place in the longer one. */
    private final int[] place;

    OrderMerge(TokenRanks ranks) {
        this.ranks = ranks;
        this.rank = ranks.ranks();
        this.place = new int[rank.length];
    }

    SortedRun merge(SortedRun one, SortedRun other) {
        boolean longer = one.length() >= other.length();
        SortedRun many = longer ? one : other;
        SortedRun few = longer ? other : one;
        findPlaces(many, few);
        return new SortedRun(spliced(many.order(), few.order()), joined(many.starts(), few.starts()));
    }

    private void findPlaces(SortedRun many, SortedRun few) {
        int[] bucket = new int[ranks.distinct() + 2];
        int[] before = predecessors(many, bucket);
        for (int start : few.starts()) {
            findPlaces(start, many.order(), before, bucket);
        }
    }

    private int[] spliced(int[] many, int[] few) {
        int[] merged = new int[many.length + few.length];
        int[] places = placesOf(few);
        int copied = 0;
        int at = 0;
        for (int i = 0; i < few.length; i++) {
            while (copied < places[i]) {
                merged[at++] = many[copied++];
            }
            merged[at++] = few[i];
        }
        System.arraycopy(many, copied, merged, at, many.length - copied);
        return merged;
    }

    /** Looked up in a loop of their own: reads at random that wait for nothing else overlap. */
    private int[] placesOf(int[] few) {
        int[] places = new int[few.length];
        for (int i = 0; i < few.length; i++) {
            places[i] = place[few[i]];
        }
        return places;
    }

    /** For each entry of the order the index of the position before it; where each token's entries start comes into the other array. */
    private int[] predecessors(SortedRun run, int[] bucket) {
        int[] order = run.order();
        for (int i = 0; i < order.length; i++) {
            place[order[i]] = i;
        }
        int[] before = new int[order.length];
        for (int start : run.starts()) {
            int previous = START;
            for (int at = start; goesOn(at); at++) {
                int index = place[at];
                before[index] = previous;
                previous = index;
                bucket[rank[at + 1] + 1]++;
            }
        }
        for (int i = 1; i < bucket.length; i++) {
            bucket[i] += bucket[i - 1];
        }
        return before;
    }

    /** True if a token stands at the position and another follows. */
    private boolean goesOn(int position) {
        return ranks.isToken(position) && ranks.isToken(position + 1);
    }

    private void findPlaces(int start, int[] order, int[] before, int[] bucket) {
        if (!goesOn(start)) {
            return;
        }
        int found = placeOfStart(start, order, before, bucket);
        place[start] = found;
        for (int at = start + 1; goesOn(at); at++) {
            found = placeAfter(found, before, bucket[rank[at + 1]], bucket[rank[at + 1] + 1]);
            place[at] = found;
        }
    }

    /** First of the entries whose predecessor does not stand before. */
    private static int placeAfter(int predecessor, int[] before, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (before[middle] < predecessor) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int placeOfStart(int start, int[] order, int[] before, int[] bucket) {
        int low = bucket[rank[start + 1]];
        int high = bucket[rank[start + 1] + 1];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (before[middle] == START && order[middle] < start) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    static int[] joined(int[] some, int[] others) {
        int[] all = Arrays.copyOf(some, some.length + others.length);
        System.arraycopy(others, 0, all, some.length, others.length);
        Arrays.sort(all);
        return all;
    }
}
