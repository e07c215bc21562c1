package io.tailrace.suffix.draft;

import java.util.Arrays;

/**
 * For each token what may follow it, likeliest first: a row of at most k tokens, made when its token is first met. Shared by
 * the drafters of one thread, and kept from request to request (the paper's hot start).
 *
 * <p>Memory: 4 (k + 2) bytes a token met, and 8 bytes a slot of the table that finds rows, half of them free: with 100,000
 * tokens and k = 8 below 7 MB. Nothing is allocated for tokens met before.
 */
public final class AdjacencyMatrix {
    /** No row, or no candidate. */
    public static final int NONE = -1;

    private final int candidatesMax;
    private int[] rows;
    private int[] counts = new int[256];
    private int[] tokens = new int[256];
    private int size;
    private int[] slots = filled(1024);

    public AdjacencyMatrix(int candidatesMax) {
        if (candidatesMax < 1) {
            throw new IllegalArgumentException("candidatesMax must be >= 1, got " + candidatesMax);
        }
        this.candidatesMax = candidatesMax;
        this.rows = new int[256 * candidatesMax];
    }

    /** Puts the model's candidates after a token in place of those before. */
    public void replace(int token, int[] likeliest, int count) {
        int row = rowOf(token);
        counts[row] = Math.min(count, candidatesMax);
        System.arraycopy(likeliest, 0, rows, row * candidatesMax, counts[row]);
    }

    /** Puts a token that was seen to follow another in front of those seen before. */
    public void observe(int token, int following) {
        int row = rowOf(token);
        int first = row * candidatesMax;
        int at = 0;
        while (at < counts[row] && rows[first + at] != following) {
            at++;
        }
        if (at == counts[row]) {
            counts[row] = Math.min(counts[row] + 1, candidatesMax);
            at = counts[row] - 1;
        }
        System.arraycopy(rows, first, rows, first + 1, at);
        rows[first] = following;
    }

    /** The candidate of a rank, 0 the likeliest; -1 if there is none. */
    public int candidate(int token, int rank) {
        int row = row(token);
        return row == NONE || rank >= counts[row] ? NONE : rows[row * candidatesMax + rank];
    }

    /** Number of a token's row, or {@link #NONE}; it stays the token's. */
    public int row(int token) {
        return slots[slot(token)];
    }

    /** Candidates in a row. */
    public int count(int row) {
        return counts[row];
    }

    /** The candidate of a rank in a row, 0 the likeliest. */
    public int at(int row, int rank) {
        return rows[row * candidatesMax + rank];
    }

    /** Tokens that have a row. */
    public int size() {
        return size;
    }

    private int rowOf(int token) {
        int slot = slot(token);
        if (slots[slot] != NONE) {
            return slots[slot];
        }
        if (size == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * size);
            counts = Arrays.copyOf(counts, 2 * size);
            rows = Arrays.copyOf(rows, 2 * size * candidatesMax);
        }
        tokens[size] = token;
        slots[slot] = size++;
        if (2 * size > slots.length) {
            growSlots();
        }
        return size - 1;
    }

    private int slot(int token) {
        int mask = slots.length - 1;
        int slot = ((token * 0x9E3779B1) >>> 7) & mask;
        while (slots[slot] != NONE && tokens[slots[slot]] != token) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void growSlots() {
        slots = filled(2 * slots.length);
        for (int row = 0; row < size; row++) {
            slots[slot(tokens[row])] = row;
        }
    }

    private static int[] filled(int length) {
        int[] slots = new int[length];
        Arrays.fill(slots, NONE);
        return slots;
    }
}
