package io.tailrace.worker.model;

/**
 * The largest of many logits with their tokens, found in one pass: what is not above the least of those found so far is passed over by one
 * comparison, and after a few hundred tokens that is nearly all. A row comes in pieces, so that who holds it elsewhere needs no copy of the whole.
 */
public final class TopTokens {
    private final int[] tokens;
    private final float[] logits;
    private final int wanted;
    private int found;

    /**
     * Begins a row.
     *
     * @param tokens filled to its length, largest logit first; equals in the order they come
     * @param logits filled with their logits; at least as long
     */
    public TopTokens(int[] tokens, float[] logits) {
        this.tokens = tokens;
        this.logits = logits;
        this.wanted = tokens.length;
    }

    /** Takes the next logits of the row: the first {@code count} of {@code piece}, of the tokens from {@code firstToken} on. */
    public void add(float[] piece, int count, int firstToken) {
        int at = 0;
        while (at < count && found < wanted) {
            insert(piece[at], firstToken + at, found++);
            at++;
        }
        float least = logits[wanted - 1];
        for (; at < count; at++) {
            if (piece[at] > least) {
                insert(piece[at], firstToken + at, wanted - 1);
                least = logits[wanted - 1];
            }
        }
    }

    /** Puts a token in its order, at {@code last} or before; what stands there falls out. */
    private void insert(float logit, int token, int last) {
        int at = last;
        while (at > 0 && logits[at - 1] < logit) {
            logits[at] = logits[at - 1];
            tokens[at] = tokens[at - 1];
            at--;
        }
        logits[at] = logit;
        tokens[at] = token;
    }
}
