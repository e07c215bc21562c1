package io.tailrace.worker.draftmodel;

import io.tailrace.worker.model.Logits;

/** One row of a draft model's logits, as probabilities of the tokens that its target knows. One thread. */
final class TokenRow {
    private final float[] logits;
    private final int tokens;
    private int best;
    private double sum;

    /**
     * A row to be read again and again.
     *
     * @param rowTokens of the draft model
     * @param tokens ids below it may be drafted
     */
    TokenRow(int rowTokens, int tokens) {
        this.logits = new float[rowTokens];
        this.tokens = Math.min(rowTokens, tokens);
    }

    void read(Logits all, int input, int node) {
        all.copy(input, node, logits);
        best = 0;
        for (int token = 1; token < tokens; token++) {
            best = logits[token] > logits[best] ? token : best;
        }
        sum = 0;
        for (int token = 0; token < tokens; token++) {
            sum += Math.exp(logits[token] - logits[best]);
        }
    }

    /** The likeliest token; of equals the lowest id. */
    int best() {
        return best;
    }

    float probability(int token) {
        return (float) (Math.exp(logits[token] - logits[best]) / sum);
    }

    /** Ids of the likeliest tokens, likeliest first, to the front of {@code into}; as many as there are, at most its length. */
    int top(int[] into) {
        int size = 0;
        for (int token = 0; token < tokens; token++) {
            if (size < into.length || logits[token] > logits[into[size - 1]]) {
                size = insert(into, size, token);
            }
        }
        return size;
    }

    private int insert(int[] into, int size, int token) {
        int at = Math.min(size, into.length - 1);
        for (; at > 0 && logits[into[at - 1]] < logits[token]; at--) {
            into[at] = into[at - 1];
        }
        into[at] = token;
        return Math.min(size + 1, into.length);
    }
}
