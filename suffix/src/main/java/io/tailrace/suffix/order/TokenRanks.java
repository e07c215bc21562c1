package io.tailrace.suffix.order;

import java.util.Arrays;

/**
 * A text's tokens replaced by their ranks among the distinct ones, so that several fit into a long: 0 for a terminator,
 * the smallest token 1. Shifted by one: {@code ranks[p + 1]} belongs to position p, and {@code ranks[0]} is a terminator
 * before the text.
 *
 * @param distinct number of distinct tokens
 */
record TokenRanks(int[] ranks, int distinct) {
    /** A table of so many ids stays in the cache: it is worth while for a text of fewer tokens. */
    private static final int SMALL_TABLE = 1 << 18;

    private static final int IDS_A_TOKEN = 4;
    private static final int IDS_A_TOKEN_OF_SMALL_TABLE = 64;

    static TokenRanks of(int[] text) {
        return of(text, text.length);
    }

    static TokenRanks of(int[] text, int length) {
        int tokenMax = -1;
        for (int i = 0; i < length; i++) {
            tokenMax = Math.max(tokenMax, text[i]);
        }
        int idsAToken = tokenMax < SMALL_TABLE ? IDS_A_TOKEN_OF_SMALL_TABLE : IDS_A_TOKEN;
        return tokenMax / idsAToken < length ? byTable(text, length, tokenMax) : bySorting(text, length);
    }

    /** True if a token stands at the position, false for terminators and the text's end. */
    boolean isToken(int position) {
        return position + 1 < ranks.length && ranks[position + 1] != 0;
    }

    private static TokenRanks byTable(int[] text, int length, int tokenMax) {
        int[] rankOf = new int[tokenMax + 2];
        for (int i = 0; i < length; i++) {
            rankOf[text[i] + 1] = 1;
        }
        rankOf[0] = 0;
        int distinct = 0;
        for (int i = 1; i < rankOf.length; i++) {
            if (rankOf[i] != 0) {
                distinct++;
                rankOf[i] = distinct;
            }
        }
        int[] ranks = new int[length + 1];
        for (int i = 0; i < length; i++) {
            ranks[i + 1] = rankOf[text[i] + 1];
        }
        return new TokenRanks(ranks, distinct);
    }

    private static TokenRanks bySorting(int[] text, int length) {
        int[] sorted = Arrays.copyOf(text, length);
        Arrays.sort(sorted);
        int distinct = 0;
        for (int i = 0; i < length; i++) {
            if (sorted[i] >= 0 && (distinct == 0 || sorted[i] != sorted[distinct - 1])) {
                sorted[distinct] = sorted[i];
                distinct++;
            }
        }
        int[] ranks = new int[length + 1];
        for (int i = 0; i < length; i++) {
            ranks[i + 1] = text[i] < 0 ? 0 : Arrays.binarySearch(sorted, 0, distinct, text[i]) + 1;
        }
        return new TokenRanks(ranks, distinct);
    }
}
