package io.tailrace.suffix.draft;

import java.util.Arrays;

/** Sums by answer, for the few of a lane's answers that have any: a hash table with linear probing that is reused. */
final class ScoreTable {
    private static final int FREE = -1;

    private int[] slots = new int[256];
    private int[] answers = new int[128];
    private float[] scores = new float[128];
    private int size;

    /** Empties it. */
    void open() {
        Arrays.fill(slots, FREE);
        size = 0;
    }

    /** How many answers have a sum. */
    int size() {
        return size;
    }

    /** The answer met {@code number}-th. */
    int answer(int number) {
        return answers[number];
    }

    float score(int number) {
        return scores[number];
    }

    void add(int answer, float score) {
        int slot = slot(answer);
        if (slots[slot] == FREE) {
            if (size == answers.length) {
                grow();
                slot = slot(answer);
            }
            slots[slot] = size;
            answers[size] = answer;
            scores[size++] = 0;
        }
        scores[slots[slot]] += score;
    }

    private int slot(int answer) {
        int mask = slots.length - 1;
        int slot = (answer * 0x9E3779B1) >>> Integer.numberOfLeadingZeros(mask);
        while (slots[slot] != FREE && answers[slots[slot]] != answer) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        answers = Arrays.copyOf(answers, 2 * size);
        scores = Arrays.copyOf(scores, 2 * size);
        slots = new int[2 * slots.length];
        Arrays.fill(slots, FREE);
        for (int i = 0; i < size; i++) {
            slots[slot(answers[i])] = i;
        }
    }
}
