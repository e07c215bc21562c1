package io.tailrace.worker.speculation;

import io.tailrace.suffix.draft.Draft;
import java.util.Arrays;

/**
 * Ways a verification may end: each the last accepted node of a draft (-1: none was accepted) and the model's own token behind
 * it, which none of the node's drafted children carries; with its probability. Flat arrays, reused; not thread-safe.
 */
public final class Forks {
    private static final int UNKNOWN = -2;

    private int[] nodes;
    private int[] tokens;
    private float[] probabilities;
    private int size;
    /** For each node of a wider draft the node of the verified one with the same path. */
    private int[] same = new int[0];

    public Forks(int capacity) {
        nodes = new int[Math.max(1, capacity)];
        tokens = new int[nodes.length];
        probabilities = new float[nodes.length];
    }

    public void clear() {
        size = 0;
    }

    /**
     * Adds a fork.
     *
     * @param node last accepted node, or -1
     * @param token the model's own token
     * @param probability that the verification ends so
     */
    public void add(int node, int token, float probability) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * size);
            tokens = Arrays.copyOf(tokens, 2 * size);
            probabilities = Arrays.copyOf(probabilities, 2 * size);
        }
        nodes[size] = node;
        tokens[size] = token;
        probabilities[size] = probability;
        size++;
    }

    /**
     * Adds what a wider draft of the same context holds beyond a draft that is being verified: each of its nodes that is not
     * drafted but hangs at a drafted one.
     */
    public void addBeyond(Draft verified, Draft wider) {
        if (same.length < wider.size()) {
            same = new int[wider.size()];
        }
        for (int node = 0; node < wider.size(); node++) {
            int parent = wider.parent(node);
            int at = parent < 0 ? -1 : same[parent];
            same[node] = at == UNKNOWN ? UNKNOWN : child(verified, at, wider.token(node));
            if (at != UNKNOWN && same[node] == UNKNOWN) {
                add(at, wider.token(node), wider.probability(node));
            }
        }
    }

    private static int child(Draft draft, int parent, int token) {
        for (int node = parent + 1; node < draft.size(); node++) {
            if (draft.parent(node) == parent && draft.token(node) == token) {
                return node;
            }
        }
        return UNKNOWN;
    }

    public int size() {
        return size;
    }

    public int node(int fork) {
        return nodes[checked(fork)];
    }

    public int token(int fork) {
        return tokens[checked(fork)];
    }

    public float probability(int fork) {
        return probabilities[checked(fork)];
    }

    /** Which fork that is, or -1. */
    public int find(int node, int token) {
        for (int fork = 0; fork < size; fork++) {
            if (nodes[fork] == node && tokens[fork] == token) {
                return fork;
            }
        }
        return -1;
    }

    /** Likeliest first; equally likely ones stay in their order. */
    void sort() {
        for (int next = 1; next < size; next++) {
            for (int at = next; at > 0 && probabilities[at - 1] < probabilities[at]; at--) {
                swap(at - 1, at);
            }
        }
    }

    void truncate(int newSize) {
        size = Math.min(size, newSize);
    }

    private void swap(int a, int b) {
        int node = nodes[a];
        nodes[a] = nodes[b];
        nodes[b] = node;
        int token = tokens[a];
        tokens[a] = tokens[b];
        tokens[b] = token;
        float probability = probabilities[a];
        probabilities[a] = probabilities[b];
        probabilities[b] = probability;
    }

    private int checked(int fork) {
        if (fork < 0 || fork >= size) {
            throw new IndexOutOfBoundsException("fork must be in [0, " + size + "), got " + fork);
        }
        return fork;
    }
}
