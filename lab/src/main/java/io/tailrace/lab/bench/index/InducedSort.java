package io.tailrace.lab.bench.index;

import java.util.Arrays;

/**
 * The other way to build the order, kept to measure against: suffix sorting by induction (SA-IS: Nong, Zhang and Chan
 * 2009) of the reversed text, every terminator a symbol of its own so that ties fall by position. Linear whatever the text,
 * but each of its passes reads and writes in random order.
 */
final class InducedSort {
    private InducedSort() {}

    /** The end positions of {@code text}, documents each followed by -1, in co-lexicographic order; those that go on only. */
    static int[] order(int[] text) {
        int[] reversed = reversedRanks(text);
        int n = reversed.length;
        int symbols = Arrays.stream(reversed).max().orElse(0) + 1;
        int[] suffixes = new int[n];
        sort(reversed, suffixes, n, symbols);
        int[] order = new int[text.length];
        int count = 0;
        for (int suffix : suffixes) {
            int position = n - 2 - suffix;
            if (position >= 0 && text[position] >= 0 && text[position + 1] >= 0) {
                order[count++] = position;
            }
        }
        return Arrays.copyOf(order, count);
    }

    /** Ranks read backwards: 0 the sentinel at the end, then the terminators by position, then the tokens. */
    private static int[] reversedRanks(int[] text) {
        int[] distinct = Arrays.stream(text)
                .filter(token -> token >= 0)
                .sorted()
                .distinct()
                .toArray();
        int tokenMax = distinct.length == 0 ? 0 : distinct[distinct.length - 1];
        int[] rankOf = new int[tokenMax + 1];
        for (int i = 0; i < distinct.length; i++) {
            rankOf[distinct[i]] = i;
        }
        int documents = (int) Arrays.stream(text).filter(token -> token < 0).count();
        int[] reversed = new int[text.length + 1];
        int terminators = 0;
        for (int i = 0; i < text.length; i++) {
            boolean ends = text[i] < 0;
            reversed[text.length - 1 - i] = ends ? 1 + terminators : 1 + documents + rankOf[text[i]];
            terminators += ends ? 1 : 0;
        }
        return reversed;
    }

    private static void sort(int[] text, int[] suffixes, int n, int symbols) {
        boolean[] small = new boolean[n];
        small[n - 1] = true;
        for (int i = n - 2; i >= 0; i--) {
            small[i] = text[i] < text[i + 1] || (text[i] == text[i + 1] && small[i + 1]);
        }
        int[] counts = new int[symbols];
        for (int i = 0; i < n; i++) {
            counts[text[i]]++;
        }
        int[] bucket = new int[symbols];
        Arrays.fill(suffixes, 0, n, -1);
        ends(counts, bucket);
        for (int i = 1; i < n; i++) {
            if (isLeftmostSmall(small, i)) {
                suffixes[--bucket[text[i]]] = i;
            }
        }
        induce(text, suffixes, n, small, counts, bucket);
        int leftmost = 0;
        for (int i = 0; i < n; i++) {
            if (isLeftmostSmall(small, suffixes[i])) {
                suffixes[leftmost++] = suffixes[i];
            }
        }
        int names = name(text, suffixes, n, small, leftmost);
        sortReduced(suffixes, n, leftmost, names);
        placeSorted(text, suffixes, n, small, leftmost, counts, bucket);
        induce(text, suffixes, n, small, counts, bucket);
    }

    private static int name(int[] text, int[] suffixes, int n, boolean[] small, int leftmost) {
        Arrays.fill(suffixes, leftmost, n, -1);
        int names = 0;
        int previous = -1;
        for (int i = 0; i < leftmost; i++) {
            int at = suffixes[i];
            if (previous < 0 || !sameStretch(text, small, n, previous, at)) {
                names++;
                previous = at;
            }
            suffixes[leftmost + at / 2] = names - 1;
        }
        int to = n - 1;
        for (int i = n - 1; i >= leftmost; i--) {
            if (suffixes[i] >= 0) {
                suffixes[to--] = suffixes[i];
            }
        }
        return names;
    }

    private static boolean sameStretch(int[] text, boolean[] small, int n, int a, int b) {
        for (int d = 0; ; d++) {
            if (a + d >= n || b + d >= n || text[a + d] != text[b + d] || small[a + d] != small[b + d]) {
                return false;
            }
            if (d > 0 && (isLeftmostSmall(small, a + d) || isLeftmostSmall(small, b + d))) {
                return isLeftmostSmall(small, a + d) && isLeftmostSmall(small, b + d);
            }
        }
    }

    private static void sortReduced(int[] suffixes, int n, int leftmost, int names) {
        int[] reduced = Arrays.copyOfRange(suffixes, n - leftmost, n);
        if (names < leftmost) {
            int[] sorted = new int[leftmost];
            sort(reduced, sorted, leftmost, names);
            System.arraycopy(sorted, 0, suffixes, 0, leftmost);
        } else {
            for (int i = 0; i < leftmost; i++) {
                suffixes[reduced[i]] = i;
            }
        }
    }

    private static void placeSorted(
            int[] text, int[] suffixes, int n, boolean[] small, int leftmost, int[] counts, int[] bucket) {
        int[] places = new int[leftmost];
        int count = 0;
        for (int i = 1; i < n; i++) {
            if (isLeftmostSmall(small, i)) {
                places[count++] = i;
            }
        }
        int[] sorted = new int[leftmost];
        for (int i = 0; i < leftmost; i++) {
            sorted[i] = places[suffixes[i]];
        }
        Arrays.fill(suffixes, 0, n, -1);
        ends(counts, bucket);
        for (int i = leftmost - 1; i >= 0; i--) {
            suffixes[--bucket[text[sorted[i]]]] = sorted[i];
        }
    }

    private static void induce(int[] text, int[] suffixes, int n, boolean[] small, int[] counts, int[] bucket) {
        int sum = 0;
        for (int i = 0; i < counts.length; i++) {
            bucket[i] = sum;
            sum += counts[i];
        }
        for (int i = 0; i < n; i++) {
            int before = suffixes[i] - 1;
            if (before >= 0 && !small[before]) {
                suffixes[bucket[text[before]]++] = before;
            }
        }
        ends(counts, bucket);
        for (int i = n - 1; i >= 0; i--) {
            int before = suffixes[i] - 1;
            if (before >= 0 && small[before]) {
                suffixes[--bucket[text[before]]] = before;
            }
        }
    }

    private static void ends(int[] counts, int[] bucket) {
        int sum = 0;
        for (int i = 0; i < counts.length; i++) {
            sum += counts[i];
            bucket[i] = sum;
        }
    }

    private static boolean isLeftmostSmall(boolean[] small, int i) {
        return i > 0 && small[i] && !small[i - 1];
    }
}
