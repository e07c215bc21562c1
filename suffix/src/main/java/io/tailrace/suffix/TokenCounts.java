package io.tailrace.suffix;

import java.util.Arrays;

/**
 * How often answers say each token, how often they copy it from their context, and how often they copy what follows it. Filled by {@link
 * OccurrenceIndex#count}, read by {@link LaneVocabulary}. Tokens of {@value #TOKENS_MAX} and above are not counted. Memory: 20 bytes for each
 * id up to the largest.
 */
public final class TokenCounts {
    /** Ids below it are counted: more than any vocabulary has. */
    public static final int TOKENS_MAX = 1 << 20;

    private static final int SAID = 0;
    private static final int KNOWN = 1;
    private static final int COPIED = 2;
    private static final int KNOWN_AFTER = 3;
    private static final int COPIED_AFTER = 4;
    private static final int COUNTS = 5;

    /** Those of an id side by side: one occurrence adds to several. */
    private int[] counts = new int[0];

    private int tokens;
    private int documents;
    private int distinct;

    /** None yet. */
    public TokenCounts() {}

    /**
     * Makes room for ids below a number at once, before each of them is added.
     *
     * @param tokens one more than the largest id to come
     */
    public void expect(int tokens) {
        int length = Math.min(TOKENS_MAX, tokens);
        if (length > this.tokens) {
            grow(length);
        }
    }

    /**
     * Adds answers.
     *
     * @param count how many
     */
    public void addDocuments(int count) {
        documents += count;
    }

    /**
     * Adds occurrences of a token.
     *
     * @param token a token id
     * @param times how often it is said, at least 1
     * @param ofKnown of these, those of which it is known whether the token stood in its context
     * @param fromContext of those, those where it did
     */
    public void add(int token, int times, int ofKnown, int fromContext) {
        if (token >= 0 && token < TOKENS_MAX) {
            ensure(token);
            int at = token * COUNTS;
            distinct += counts[at + SAID] == 0 ? 1 : 0;
            counts[at + SAID] += times;
            counts[at + KNOWN] += ofKnown;
            counts[at + COPIED] += fromContext;
        }
    }

    /**
     * Adds what follows a token in the same answers.
     *
     * @param token the token before
     * @param ofKnown at how many places it is known whether what follows stood in the context
     * @param fromContext at how many of those it did
     */
    public void addAfter(int token, int ofKnown, int fromContext) {
        if (token >= 0 && token < TOKENS_MAX) {
            ensure(token);
            counts[token * COUNTS + KNOWN_AFTER] += ofKnown;
            counts[token * COUNTS + COPIED_AFTER] += fromContext;
        }
    }

    /** {@return ids below it may have counts} */
    public int tokens() {
        return tokens;
    }

    /** {@return tokens that are said} */
    public int distinct() {
        return distinct;
    }

    /** {@return answers} */
    public int documents() {
        return documents;
    }

    /**
     * How often a token is said.
     *
     * @param token below {@link #tokens}
     * @return how often
     */
    public int said(int token) {
        return counts[token * COUNTS + SAID];
    }

    /**
     * Of how many of its occurrences it is known whether the token stood in its context.
     *
     * @param token below {@link #tokens}
     * @return how many
     */
    public int known(int token) {
        return counts[token * COUNTS + KNOWN];
    }

    /**
     * At how many of those it did.
     *
     * @param token below {@link #tokens}
     * @return how many
     */
    public int copied(int token) {
        return counts[token * COUNTS + COPIED];
    }

    /**
     * Of how many tokens that follow it is known whether they stood in their context.
     *
     * @param token below {@link #tokens}
     * @return how many
     */
    public int knownAfter(int token) {
        return counts[token * COUNTS + KNOWN_AFTER];
    }

    /**
     * How many of those did.
     *
     * @param token below {@link #tokens}
     * @return how many
     */
    public int copiedAfter(int token) {
        return counts[token * COUNTS + COPIED_AFTER];
    }

    private void ensure(int token) {
        if (token >= tokens) {
            grow(Math.min(TOKENS_MAX, Math.max(token + 1, tokens + tokens / 2)));
        }
    }

    private void grow(int length) {
        counts = Arrays.copyOf(counts, length * COUNTS);
        tokens = length;
    }
}
