package io.tailrace.strategies;

import java.util.Arrays;

/**
 * What follows a pattern: the suffix tree's part below it, as far as growth has looked.
 *
 * <p>A node is a path of tokens behind the pattern; its count is the number of the pattern's places (with copies) whose text
 * goes on along the path. Places are added as patterns get shorter, so counts only grow. A place stops at the first node
 * nobody has looked below yet and waits there: {@link #settle} moves those that wait at a node on to its children. So each
 * place takes each step down once, whatever the number of patterns, and only where some pattern's draft leads.
 *
 * <p>Nothing is allocated once the arrays have grown to their working size.
 */
final class ContinuationTrie {
    static final int ROOT = 0;
    static final int NONE = -1;

    private final PatternPlaces places;
    private final ChildTable table = new ChildTable();
    private int[] tokens = new int[256];
    private int[] parents = new int[256];
    private int[] depths = new int[256];
    private int[] firstChildren = new int[256];
    private int[] lastChildren = new int[256];
    private int[] nextSiblings = new int[256];
    private int[] firstPlaces = new int[256];
    private int[] waitingFirst = new int[256];
    private int[] waitingLast = new int[256];
    private long[] counts = new long[256];
    private int size;
    /** Next waiting place of the same node, for each place. */
    private int[] chain = new int[256];

    private int included;
    private long mostAfterPattern;

    ContinuationTrie(PatternPlaces places) {
        this.places = places;
    }

    /** Forgets all places. */
    void clear() {
        table.clear();
        size = 0;
        included = 0;
        mostAfterPattern = 0;
        add(NONE, 0, 0);
    }

    /** Takes the first {@code count} places as those of the pattern; no fewer than before. */
    void include(int count) {
        if (count > chain.length) {
            chain = Arrays.copyOf(chain, Math.max(count, 2 * chain.length));
        }
        for (; included < count; included++) {
            enter(ROOT, included);
        }
        settle(ROOT);
    }

    /** Moves the places that wait at a node on to its children. */
    void settle(int node) {
        int ahead = depths[node] + 1;
        int place = waitingFirst[node];
        waitingFirst[node] = NONE;
        while (place != NONE) {
            int following = chain[place];
            int token = places.token(place, ahead);
            if (token >= 0) {
                int child = child(node, token);
                enter(child, place);
                if (node == ROOT) {
                    mostAfterPattern = Math.max(mostAfterPattern, counts[child]);
                }
            }
            place = following;
        }
    }

    int firstChild(int node) {
        return firstChildren[node];
    }

    int nextSibling(int node) {
        return nextSiblings[node];
    }

    int token(int node) {
        return tokens[node];
    }

    /** Tokens behind the pattern. */
    int depth(int node) {
        return depths[node];
    }

    /** The root's is without the places where a document ends with the pattern. */
    long count(int node) {
        return counts[node];
    }

    /** The longest match among the node's places, the first found among equals. */
    int firstPlace(int node) {
        return firstPlaces[node];
    }

    /** The highest count of a single token after the pattern. */
    long mostAfterPattern() {
        return mostAfterPattern;
    }

    private void enter(int node, int place) {
        chain[place] = NONE;
        if (waitingFirst[node] == NONE) {
            waitingFirst[node] = place;
        } else {
            chain[waitingLast[node]] = place;
        }
        waitingLast[node] = place;
        if (firstPlaces[node] == NONE) {
            firstPlaces[node] = place;
        }
        counts[node] += places.copies(place);
    }

    private int child(int node, int token) {
        int slot = table.slot(node, token, parents, tokens);
        int child = table.get(slot);
        if (child == NONE) {
            child = add(node, token, depths[node] + 1);
            table.put(slot, child, parents, tokens);
            if (firstChildren[node] == NONE) {
                firstChildren[node] = child;
            } else {
                nextSiblings[lastChildren[node]] = child;
            }
            lastChildren[node] = child;
        }
        return child;
    }

    private int add(int parent, int token, int depth) {
        if (size == tokens.length) {
            grow();
        }
        tokens[size] = token;
        parents[size] = parent;
        depths[size] = depth;
        firstChildren[size] = NONE;
        nextSiblings[size] = NONE;
        firstPlaces[size] = NONE;
        waitingFirst[size] = NONE;
        counts[size] = 0;
        return size++;
    }

    private void grow() {
        int capacity = 2 * size;
        tokens = Arrays.copyOf(tokens, capacity);
        parents = Arrays.copyOf(parents, capacity);
        depths = Arrays.copyOf(depths, capacity);
        firstChildren = Arrays.copyOf(firstChildren, capacity);
        lastChildren = Arrays.copyOf(lastChildren, capacity);
        nextSiblings = Arrays.copyOf(nextSiblings, capacity);
        firstPlaces = Arrays.copyOf(firstPlaces, capacity);
        waitingFirst = Arrays.copyOf(waitingFirst, capacity);
        waitingLast = Arrays.copyOf(waitingLast, capacity);
        counts = Arrays.copyOf(counts, capacity);
    }

    /** Children of a trie's nodes by parent and token, in open addresses; cleared in O(1). */
    private static final class ChildTable {
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
}
