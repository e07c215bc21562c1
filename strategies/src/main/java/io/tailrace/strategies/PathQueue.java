package io.tailrace.strategies;

import java.util.Arrays;

/**
 * Paths by probability, likeliest first: a binary heap in two arrays. Equally likely ones leave it in the order they came, or,
 * as in the published implementation, in whatever order a plain heap has them: the last entry fills the hole at the top, sinks
 * to the bottom along the right child unless the left is likelier, and rises from there only past less likely ones.
 */
final class PathQueue {
    private final boolean firstComeFirst;
    private float[] probabilities = new float[256];
    private int[] paths = new int[256];
    private int size;

    PathQueue(boolean firstComeFirst) {
        this.firstComeFirst = firstComeFirst;
    }

    void clear() {
        size = 0;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Adds a path; numbers rise from call to call. */
    void push(float probability, int path) {
        if (size == paths.length) {
            probabilities = Arrays.copyOf(probabilities, 2 * size);
            paths = Arrays.copyOf(paths, 2 * size);
        }
        rise(size++, probability, path);
    }

    /** Takes out the likeliest path; the queue must not be empty. */
    int pop() {
        int first = paths[0];
        size--;
        float probability = probabilities[size];
        int path = paths[size];
        int hole = 0;
        for (int child = likelierChild(0); child < size; child = likelierChild(child)) {
            move(child, hole);
            hole = child;
        }
        rise(hole, probability, path);
        return first;
    }

    private int likelierChild(int hole) {
        int right = 2 * hole + 2;
        boolean left = right >= size || before(probabilities[right - 1], paths[right - 1], right);
        return left ? right - 1 : right;
    }

    private void rise(int from, float probability, int path) {
        int hole = from;
        while (hole > 0 && before(probability, path, (hole - 1) >>> 1)) {
            move((hole - 1) >>> 1, hole);
            hole = (hole - 1) >>> 1;
        }
        probabilities[hole] = probability;
        paths[hole] = path;
    }

    private boolean before(float probability, int path, int entry) {
        return probability > probabilities[entry]
                || (firstComeFirst && probability == probabilities[entry] && path < paths[entry]);
    }

    private void move(int from, int to) {
        probabilities[to] = probabilities[from];
        paths[to] = paths[from];
    }
}
