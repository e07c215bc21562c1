package io.tailrace.suffix.draft;

/**
 * Candidates not drafted yet, likeliest path first, older candidate first among equals. It keeps no more than can still be
 * drafted, so most of what is pushed falls off at once: a sorted list in two arrays.
 */
final class Frontier {
    private final float[] probabilities = new float[DraftPolicy.BUDGET_MAX];
    private final int[] candidates = new int[DraftPolicy.BUDGET_MAX];
    /** The likeliest is last. */
    private int size;

    private int room;

    /** Empties it; {@code most} candidates will be taken out at most. */
    void open(int most) {
        size = 0;
        room = most;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void push(float probability, int candidate) {
        int lowest = 0;
        if (size == room) {
            if (room == 0 || probability <= probabilities[0]) {
                return;
            }
            lowest = 1;
        }
        int at = lowest;
        while (at < size && probabilities[at] < probability) {
            at++;
        }
        if (lowest == 1) {
            at--;
            System.arraycopy(probabilities, 1, probabilities, 0, at);
            System.arraycopy(candidates, 1, candidates, 0, at);
        } else {
            System.arraycopy(probabilities, at, probabilities, at + 1, size - at);
            System.arraycopy(candidates, at, candidates, at + 1, size - at);
            size++;
        }
        probabilities[at] = probability;
        candidates[at] = candidate;
    }

    /** Takes out the first candidate; the frontier must not be empty. Room shrinks by it. */
    int pop() {
        int first = candidates[--size];
        if (--room < size) {
            System.arraycopy(probabilities, size - room, probabilities, 0, room);
            System.arraycopy(candidates, size - room, candidates, 0, room);
            size = room;
        }
        return first;
    }

    /** The least probability with which a candidate would still be taken in and drafted. */
    float threshold() {
        return size < room ? 0 : room == 0 ? Float.POSITIVE_INFINITY : probabilities[0];
    }
}
