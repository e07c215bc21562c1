package io.tailrace.suffix.order;

import io.tailrace.suffix.TokenText;
import java.nio.IntBuffer;
import java.util.Arrays;

/**
 * The co-lexicographic order of a text: its end positions sorted by the text read backwards from them.
 *
 * <p>Reading backwards stops at the document's start, which is smaller than any token; positions whose documents read the
 * same up to their starts are in the order of position. The positions whose document goes on and the last positions of
 * documents are kept apart: drafting looks only at the former, counting needs both.
 *
 * @param order end positions whose document goes on after them
 * @param ends last positions of the documents (of those with a token)
 */
public record CoLexOrder(int[] order, int[] ends) {
    /** Positions are inserted into a known order if that is so many times longer; else sorting is quicker. */
    private static final int INSERTION_RATIO = 4;

    /**
     * Sorts the end positions of {@code text[0..length)}, documents each followed by {@link TokenText#TERMINATOR}.
     *
     * <p>Cost: see {@link BackwardSort}. Memory beside the text: 8 bytes a token for ranks and order, 8 bytes for each
     * position that ends with the most frequent token, and 12 bytes a token more only for texts that repeat stretches of
     * {@value BackwardSort#DEPTH_MAX} tokens.
     */
    public static CoLexOrder of(int[] text, int length) {
        TokenRanks ranks = TokenRanks.of(text, length);
        int[] order = new BackwardSort(ranks).sort();
        return new CoLexOrder(order, ends(order, ranks));
    }

    /**
     * The order of a text most of whose documents come from another text, whose order is known: that order is filtered, and
     * the other documents' positions are sorted and inserted; where they are too many, all is sorted anew.
     *
     * @param known the other text's order
     * @param places for each position of the other text its place in {@code text}, or -1 if it was dropped; its kept
     *     documents stand in {@code text} in the same sequence
     */
    public static CoLexOrder extended(int[] text, IntBuffer known, int[] places) {
        TokenRanks ranks = TokenRanks.of(text, text.length);
        int[] kept = new int[known.limit()];
        int count = 0;
        for (int i = 0; i < kept.length; i++) {
            int place = places[known.get(i)];
            if (place >= 0) {
                kept[count++] = place;
            }
        }
        int[] many = Arrays.copyOf(kept, count);
        int[] order = extended(ranks, many, places);
        return new CoLexOrder(order, ends(order, ranks));
    }

    private static int[] extended(TokenRanks ranks, int[] many, int[] places) {
        boolean[] known = new boolean[ranks.ranks().length];
        int knownTokens = 0;
        for (int place : places) {
            if (place >= 0) {
                known[place + 1] = true;
                knownTokens++;
            }
        }
        int[] newPlaces = new int[ranks.ranks().length - knownTokens];
        int[] newRanks = new int[newPlaces.length];
        int length = 1;
        for (int shifted = 1; shifted < known.length; shifted++) {
            int rank = ranks.ranks()[shifted];
            if (!known[shifted] && (rank != 0 || newRanks[length - 1] != 0)) {
                newRanks[length] = rank;
                newPlaces[length] = shifted - 1;
                length++;
            }
        }
        if ((long) length * INSERTION_RATIO > many.length) {
            return new BackwardSort(ranks).sort();
        }
        TokenRanks fewRanks = new TokenRanks(Arrays.copyOf(newRanks, length), ranks.distinct());
        int[] few = new BackwardSort(fewRanks).sort();
        for (int i = 0; i < few.length; i++) {
            few[i] = newPlaces[few[i] + 1];
        }
        int[] order = new OrderInsertion(ranks).insert(many, few);
        return order == null ? new BackwardSort(ranks).sort() : order;
    }

    /**
     * The documents' last positions, induced from the order: those that end with the same token stand in the order of
     * their predecessors, and documents of one token come before all others.
     */
    private static int[] ends(int[] order, TokenRanks ranks) {
        int[] rank = ranks.ranks();
        long[] isEnd = new long[(rank.length >>> 6) + 1];
        int[] next = new int[ranks.distinct() + 2];
        for (int i = 1; i < rank.length; i++) {
            if (rank[i] != 0 && isLast(rank, i)) {
                isEnd[i >>> 6] |= 1L << i;
                next[rank[i] + 1]++;
            }
        }
        for (int i = 1; i < next.length; i++) {
            next[i] += next[i - 1];
        }
        int[] ends = new int[next[next.length - 1]];
        for (int i = 1; i < rank.length; i++) {
            if (rank[i] != 0 && rank[i - 1] == 0 && isLast(rank, i)) {
                ends[next[rank[i]]++] = i - 1;
            }
        }
        for (int position : order) {
            int shifted = position + 2;
            if ((isEnd[shifted >>> 6] & (1L << shifted)) != 0) {
                ends[next[rank[shifted]]++] = position + 1;
            }
        }
        return ends;
    }

    private static boolean isLast(int[] rank, int shifted) {
        return shifted + 1 == rank.length || rank[shifted + 1] == 0;
    }
}
