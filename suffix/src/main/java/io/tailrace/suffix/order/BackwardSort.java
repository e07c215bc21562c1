package io.tailrace.suffix.order;

import java.util.Arrays;

/**
 * Sorts the end positions whose document goes on by the text read backwards.
 *
 * <p>Idea: a counting sort by the last token, then within each bucket a multikey quicksort that looks at several tokens at
 * once: the ranks of the next two to eight tokens backwards are packed into one long, the bucket is sorted by these keys, and
 * what remains equal is sorted by the next key (caching multikey quicksort: Ng and Kakehi 2007). Keys stand in an array beside
 * the positions, so the text is read once for each key and not once for each comparison.
 *
 * <p>Groups wait on a stack of their own: a recursive method would be inlined into itself, and compiling that took the JVM longer than
 * the sorts of its first minute.
 *
 * <p>What still shares {@value #DEPTH_MAX} tokens is left for {@link RankDoubling}, so repetitive text (all tokens equal,
 * long documents copied) costs O(n log n) and not O(n * repeat).
 */
final class BackwardSort {
    /** Groups that share this many tokens are sorted by doubling. */
    static final int DEPTH_MAX = 128;

    private final int[] rank;
    private final int distinct;
    private final KeyReader reader;
    private int[] positions;
    private long[] keys;
    private int keyBase;
    private KeySort keySort;
    private final GroupStack groups = new GroupStack();
    private final RankDoubling unsorted = new RankDoubling();

    BackwardSort(TokenRanks ranks) {
        this.rank = ranks.ranks();
        this.distinct = ranks.distinct();
        this.reader = new KeyReader(ranks);
    }

    int[] sort() {
        int[] starts = bucketStarts();
        positions = new int[starts[distinct + 1]];
        fillBuckets(starts.clone());
        int largest = 0;
        for (int token = 1; token <= distinct; token++) {
            largest = Math.max(largest, starts[token + 1] - starts[token]);
        }
        keys = new long[largest];
        keySort = new KeySort(keys, positions);
        for (int token = 1; token <= distinct; token++) {
            keyBase = starts[token];
            if (starts[token + 1] - starts[token] > 1) {
                sortGroups(starts[token], starts[token + 1], 1);
            }
        }
        keys = null;
        unsorted.finish(positions, rank, DEPTH_MAX);
        return positions;
    }

    /** Where the positions of each last token start, by its rank. */
    private int[] bucketStarts() {
        int[] starts = new int[distinct + 2];
        for (int i = 1; i < rank.length - 1; i++) {
            if (rank[i + 1] != 0 && rank[i] != 0) {
                starts[rank[i] + 1]++;
            }
        }
        for (int i = 1; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        return starts;
    }

    private void fillBuckets(int[] next) {
        for (int i = 1; i < rank.length - 1; i++) {
            if (rank[i + 1] != 0 && rank[i] != 0) {
                positions[next[rank[i]]++] = i - 1;
            }
        }
    }

    /** Sorts positions that share the last {@code depth} tokens, then what of them still shares more, group by group. */
    private void sortGroups(int from, int to, int depth) {
        addGroup(from, to, depth);
        while (groups.next()) {
            sortGroup(groups.from(), groups.to(), groups.depth());
        }
    }

    private void addGroup(int from, int to, int depth) {
        if (to - from == 2) {
            sortPair(from, depth);
        } else if (depth >= DEPTH_MAX) {
            unsorted.add(from, to);
        } else {
            groups.add(from, to, depth);
        }
    }

    private void sortGroup(int from, int to, int depth) {
        for (int i = from; i < to; i++) {
            keys[i - keyBase] = reader.key(positions[i] + 1 - depth);
        }
        keySort.sort(from, to, keyBase);
        int start = from;
        while (start < to) {
            long key = keys[start - keyBase];
            int end = start + 1;
            while (end < to && keys[end - keyBase] == key) {
                end++;
            }
            if (end - start > 1) {
                addEqual(start, end, depth, key);
            }
            start = end;
        }
    }

    private void addEqual(int from, int to, int depth, long key) {
        if (reader.reachesStart(key)) {
            Arrays.sort(positions, from, to);
        } else {
            addGroup(from, to, depth + reader.tokensPerKey());
        }
    }

    /** Half of all groups are pairs: they are compared directly. */
    private void sortPair(int from, int depth) {
        int a = positions[from] + 1 - depth;
        int b = positions[from + 1] + 1 - depth;
        int shared = depth;
        while (rank[a] == rank[b] && rank[a] != 0 && shared < DEPTH_MAX) {
            a--;
            b--;
            shared++;
        }
        if (shared == DEPTH_MAX) {
            unsorted.add(from, from + 2);
            return;
        }
        boolean inOrder = rank[a] == rank[b] ? positions[from] < positions[from + 1] : rank[a] < rank[b];
        if (!inOrder) {
            int first = positions[from];
            positions[from] = positions[from + 1];
            positions[from + 1] = first;
        }
    }

    /** Groups of an order that wait to be sorted further, the last one first: ranges of it, and how many tokens each shares. */
    private static final class GroupStack {
        private static final int INTS = 3;

        private int[] groups = new int[64 * INTS];
        private int size;

        void add(int from, int to, int depth) {
            if (size + INTS > groups.length) {
                groups = Arrays.copyOf(groups, 2 * groups.length);
            }
            groups[size] = from;
            groups[size + 1] = to;
            groups[size + 2] = depth;
            size += INTS;
        }

        /** Takes the last group off, for the three below; false if none is left. */
        boolean next() {
            if (size == 0) {
                return false;
            }
            size -= INTS;
            return true;
        }

        int from() {
            return groups[size];
        }

        int to() {
            return groups[size + 1];
        }

        int depth() {
            return groups[size + 2];
        }
    }

    /** Packs the ranks of the tokens read backwards from a place into one long, as many as fit, the last token highest. */
    private static final class KeyReader {
        private static final int BITS_MIN = 8;

        private final int[] rank;
        private final int bits;
        private final int tokensPerKey;
        private final long lastMask;
        private final long flip;

        KeyReader(TokenRanks ranks) {
            this.rank = ranks.ranks();
            this.bits = Math.max(Integer.SIZE - Integer.numberOfLeadingZeros(ranks.distinct()), BITS_MIN);
            this.tokensPerKey = Long.SIZE / bits;
            this.lastMask = (1L << bits) - 1;
            this.flip = tokensPerKey * bits == Long.SIZE ? Long.MIN_VALUE : 0;
        }

        int tokensPerKey() {
            return tokensPerKey;
        }

        /** The key at a shifted position; zeros from the document's start on. */
        long key(int shifted) {
            long key = 0;
            int at = shifted;
            for (int i = 0; i < tokensPerKey; i++) {
                int r = rank[at];
                key = (key << bits) | r;
                at -= r == 0 ? 0 : 1;
            }
            return key ^ flip;
        }

        /** Whether the document's start is among the key's tokens, so that positions with this key differ in place only. */
        boolean reachesStart(long key) {
            return (key & lastMask) == 0;
        }
    }
}
