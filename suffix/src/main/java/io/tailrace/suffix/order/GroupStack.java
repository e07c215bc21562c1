package io.tailrace.suffix.order;

import java.util.Arrays;

/** Groups of an order that wait to be sorted further, the last one first: ranges of it, and how many tokens each shares. */
final class GroupStack {
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
