package io.tailrace.suffix.draft;

import java.util.Arrays;

/** Candidates not drafted yet, likeliest path first, older candidate first among equals. A binary heap in two arrays. */
final class Frontier {
    private float[] probabilities = new float[256];
    private int[] candidates = new int[256];
    private int size;

    void clear() {
        size = 0;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void push(float probability, int candidate) {
        if (size == candidates.length) {
            probabilities = Arrays.copyOf(probabilities, size * 2);
            candidates = Arrays.copyOf(candidates, size * 2);
        }
        int at = size++;
        while (at > 0 && before(probability, candidate, (at - 1) >>> 1)) {
            move((at - 1) >>> 1, at);
            at = (at - 1) >>> 1;
        }
        probabilities[at] = probability;
        candidates[at] = candidate;
    }

    /** Takes out the first candidate; the frontier must not be empty. */
    int pop() {
        int first = candidates[0];
        size--;
        float probability = probabilities[size];
        int candidate = candidates[size];
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && before(probabilities[child + 1], candidates[child + 1], child)) {
                child++;
            }
            if (before(probability, candidate, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        probabilities[at] = probability;
        candidates[at] = candidate;
        return first;
    }

    private boolean before(float probability, int candidate, int entry) {
        return probability > probabilities[entry]
                || (probability == probabilities[entry] && candidate < candidates[entry]);
    }

    private void move(int from, int to) {
        probabilities[to] = probabilities[from];
        candidates[to] = candidates[from];
    }
}
