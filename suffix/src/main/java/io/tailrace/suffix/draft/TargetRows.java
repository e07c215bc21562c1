package io.tailrace.suffix.draft;

import io.tailrace.suffix.TokenSlots;
import java.util.Arrays;

/**
 * For each token what the target model itself found likely to follow it, likeliest first: a row of at most k tokens, made when its token is
 * first met, the latest in place of those before. What a lane's requests know together, kept from request to request; and how much a rank in
 * a row is worth beside what occurrences say. One thread; nothing of it is published or leaves the lane.
 *
 * <p>Memory: 4 (k + 2) bytes a token met, and 8 bytes a slot of the table that finds rows, half of them free: of at most {@value
 * #TOKENS_MAX} tokens and with k = 8 below 4 MB. Nothing is allocated for tokens met before.
 */
public final class TargetRows {
    /** Most candidates after a token. */
    public static final int CANDIDATES_MAX = 8;

    /** No row, or no candidate. */
    public static final int NONE = -1;

    /** Tokens met after so many others get no row. */
    static final int TOKENS_MAX = 1 << 16;

    /** The same for the rows of one request: below 256 KB. */
    static final int REQUEST_TOKENS_MAX = 1 << 12;

    private final int candidatesMax;
    private final int tokensMax;
    private final RankWeights weights = new RankWeights();
    private final RankWeights ofRequests = new RankWeights();
    private int[] rows;
    private int[] counts = new int[256];
    private int[] tokens = new int[256];
    private int size;
    private int[] slots = filled(1024);

    /**
     * Rows that know nothing yet.
     *
     * @param candidatesMax candidates kept after a token, 1 to {@value #CANDIDATES_MAX}
     */
    public TargetRows(int candidatesMax) {
        this(candidatesMax, TOKENS_MAX);
    }

    private TargetRows(int candidatesMax, int tokensMax) {
        if (candidatesMax < 1 || candidatesMax > CANDIDATES_MAX) {
            throw new IllegalArgumentException(
                    "candidatesMax must be in [1, " + CANDIDATES_MAX + "], got " + candidatesMax);
        }
        this.candidatesMax = candidatesMax;
        this.tokensMax = tokensMax;
        this.rows = new int[256 * candidatesMax];
    }

    /**
     * Rows for however many tokens, a vocabulary at most: with 100,000 tokens and k = 8 below 7 MB.
     *
     * @param candidatesMax candidates kept after a token, 1 to {@value #CANDIDATES_MAX}
     * @return rows that know nothing yet
     */
    public static TargetRows unbounded(int candidatesMax) {
        return new TargetRows(candidatesMax, Integer.MAX_VALUE);
    }

    /** Rows of one request, for as many candidates after a token. */
    TargetRows ofRequest() {
        return new TargetRows(candidatesMax, REQUEST_TOKENS_MAX);
    }

    /** Forgets all rows, and keeps the memory. */
    void clear() {
        size = 0;
        Arrays.fill(slots, NONE);
    }

    /**
     * Candidates kept after a token.
     *
     * @return how many
     */
    public int candidatesMax() {
        return candidatesMax;
    }

    /**
     * Takes what the target found likeliest after a token, best first, in place of what it did before.
     *
     * @param token a token id
     * @param likeliest what may follow it, likeliest first, without repeats
     * @param count how many of them
     */
    public void tell(int token, int[] likeliest, int count) {
        if (!mayHaveRow(token)) {
            return;
        }
        int row = rowOf(token);
        counts[row] = Math.min(count, candidatesMax);
        System.arraycopy(likeliest, 0, rows, row * candidatesMax, counts[row]);
    }

    /**
     * Puts a token that was seen to follow another in front of those seen before.
     *
     * @param token a token id
     * @param following what followed it
     */
    public void observe(int token, int following) {
        if (!mayHaveRow(token)) {
            return;
        }
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

    /**
     * Whether a token has no row, and may have one.
     *
     * @param token a token id
     * @return true if so
     */
    public boolean lacks(int token) {
        return row(token) == NONE && size < tokensMax;
    }

    /**
     * The candidate of a rank, 0 the likeliest; {@link #NONE} if there is none.
     *
     * @param token a token id
     * @param rank 0 the likeliest
     * @return a token id or {@link #NONE}
     */
    public int candidate(int token, int rank) {
        int row = row(token);
        return row == NONE || rank >= counts[row] ? NONE : rows[row * candidatesMax + rank];
    }

    /** Number of a token's row, or {@link #NONE}; it stays the token's. */
    int row(int token) {
        return slots[slot(token)];
    }

    /** Candidates in a row. */
    int count(int row) {
        return counts[row];
    }

    /** The candidate of a rank in a row, 0 the likeliest. */
    int at(int row, int rank) {
        return rows[row * candidatesMax + rank];
    }

    /** What ranks in these rows are worth. */
    RankWeights weights() {
        return weights;
    }

    /** What ranks in the rows of one request are worth, as all of the lane's requests learn it. */
    RankWeights weightsOfRequests() {
        return ofRequests;
    }

    private boolean mayHaveRow(int token) {
        return size < tokensMax || row(token) != NONE;
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
        int slot = TokenSlots.slot(token, mask);
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
