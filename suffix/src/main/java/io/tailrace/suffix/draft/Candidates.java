package io.tailrace.suffix.draft;

import java.util.Arrays;

/**
 * The candidates of all nodes of one draft, and what the mixer needs to judge them and to learn from them later: flat
 * arrays, reused from draft to draft.
 *
 * <p>A place is where candidates stand: place 0 is the context's end, place i + 1 is node i. All candidates of a place
 * share which inputs are not zero ({@code features}) and which weight sets judge them; each has its own values.
 */
final class Candidates {
    /** Before every position; those of voters that joined at a node may be negative. */
    static final int NO_POSITION = Integer.MIN_VALUE;

    private static final int PLACES = DraftPolicy.BUDGET_MAX + 1;

    int[] token = new int[256];
    /** Longest match among the voters, counting the path. */
    int[] match = new int[256];
    /** The first voter with that match. */
    int[] bestVoter = new int[256];
    /** Latest position among its own-context voters, or {@link #NO_POSITION}. */
    int[] latestOwn = new int[256];
    /** First and last of its voters, linked through the voters' own list. */
    int[] firstVoter = new int[256];

    int[] lastVoter = new int[256];
    int[] place = new int[256];
    /** The node it was drafted as, or -1. */
    int[] node = new int[256];
    /** Probability of the whole path to it. */
    float[] probability = new float[256];
    /** Inputs that are not zero, {@link Features#COUNT} reserved for each candidate. */
    float[] values = new float[256 * Features.COUNT];

    int size;

    final int[] first = new int[PLACES];
    final int[] end = new int[PLACES];
    final int[] lengthSet = new int[PLACES];
    final int[] crowdSet = new int[PLACES];
    /** Ascending indices of the inputs in use, {@link Features#COUNT} reserved for each place. */
    final int[] features = new int[PLACES * Features.COUNT];

    final int[] featureCount = new int[PLACES];

    void clear() {
        size = 0;
    }

    int add(int atPlace, int candidateToken) {
        if (size == token.length) {
            grow();
        }
        token[size] = candidateToken;
        match[size] = 0;
        bestVoter[size] = -1;
        latestOwn[size] = NO_POSITION;
        firstVoter[size] = -1;
        lastVoter[size] = -1;
        place[size] = atPlace;
        node[size] = -1;
        return size++;
    }

    /** The candidate of a place that carries a token, or -1. */
    int find(int atPlace, int wanted) {
        for (int candidate = first[atPlace]; candidate < end[atPlace]; candidate++) {
            if (token[candidate] == wanted) {
                return candidate;
            }
        }
        return -1;
    }

    private void grow() {
        int capacity = size * 2;
        token = Arrays.copyOf(token, capacity);
        match = Arrays.copyOf(match, capacity);
        bestVoter = Arrays.copyOf(bestVoter, capacity);
        latestOwn = Arrays.copyOf(latestOwn, capacity);
        firstVoter = Arrays.copyOf(firstVoter, capacity);
        lastVoter = Arrays.copyOf(lastVoter, capacity);
        place = Arrays.copyOf(place, capacity);
        node = Arrays.copyOf(node, capacity);
        probability = Arrays.copyOf(probability, capacity);
        values = Arrays.copyOf(values, capacity * Features.COUNT);
    }
}
