package io.tailrace.strategies;

import java.util.Arrays;

/** Children of a trie's nodes by parent and token, in open addresses; cleared in O(1). */
final class ChildTable {
    private int[] children = new int[512];
    /** A slot is taken if its stamp is the present one. */
    private int[] stamps = new int[512];

    private int stamp = 1;
    private int size;

    void clear() {
        size = 0;
        stamp++;
        if (stamp == 0) {
            Arrays.fill(stamps, 0);
            stamp = 1;
        }
    }

    /** Where the child stands, or would. */
    int slot(int parent, int token, int[] parents, int[] tokens) {
        int mask = stamps.length - 1;
        int slot = hash(parent, token) & mask;
        while (stamps[slot] == stamp && (tokens[children[slot]] != token || parents[children[slot]] != parent)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /** The child in a slot, or {@link ContinuationTrie#NONE}. */
    int get(int slot) {
        return stamps[slot] == stamp ? children[slot] : ContinuationTrie.NONE;
    }

    /** Puts a child into the slot found for it. */
    void put(int slot, int child, int[] parents, int[] tokens) {
        stamps[slot] = stamp;
        children[slot] = child;
        if (2 * ++size > stamps.length) {
            grow(parents, tokens);
        }
    }

    private void grow(int[] parents, int[] tokens) {
        int[] oldChildren = children;
        int[] oldStamps = stamps;
        children = new int[2 * oldChildren.length];
        stamps = new int[2 * oldChildren.length];
        for (int i = 0; i < oldChildren.length; i++) {
            if (oldStamps[i] == stamp) {
                int child = oldChildren[i];
                int slot = slot(parents[child], tokens[child], parents, tokens);
                stamps[slot] = stamp;
                children[slot] = child;
            }
        }
    }

    private static int hash(int parent, int token) {
        int h = (parent * 0x9E3779B1) ^ (token * 0x85EBCA6B);
        return h ^ (h >>> 15);
    }
}
