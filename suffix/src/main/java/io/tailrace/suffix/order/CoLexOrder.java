package io.tailrace.suffix.order;

import io.tailrace.suffix.TokenText;
import java.util.List;
import java.util.function.Supplier;

/**
 * The co-lexicographic order of a text: its end positions sorted by the text read backwards from them.
 *
 * <p>Reading backwards stops at the document's start, which is smaller than any token; positions whose documents read the
 * same up to their starts are in the order of position. The positions whose document goes on and the last positions of
 * documents are kept apart: drafting looks only at the former, counting needs both. Where documents begin with a prompt's tail, the
 * places inside it are kept apart, too: reading backwards goes on into the tail, but nothing ends there.
 *
 * @param order end positions whose document goes on after them
 * @param ends last positions of the documents (of those with a token)
 * @param hidden end positions whose document goes on after them within a prompt's tail
 */
public record CoLexOrder(int[] order, int[] ends, HiddenEntries hidden) {
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
        return new CoLexOrder(order, ends(order, ranks), HiddenEntries.NONE);
    }

    /**
     * This order, which hides nothing, with the places inside prompts' tails taken out.
     *
     * @param documentStarts where documents start, and where the text ends
     * @param tails of each document the tokens of the prompt's tail that it begins with
     * @return another order
     */
    public CoLexOrder hiding(int[] documentStarts, int[] tails) {
        HiddenEntries tailEntries = HiddenEntries.of(order, documentStarts, tails);
        return new CoLexOrder(tailEntries.visible(order), ends, tailEntries);
    }

    /**
     * The order of a text of whose documents most stand in runs that are sorted already: runs are merged where that is quicker than to
     * sort anew ({@link OrderMerge}). Memory: 18 bytes a token, of which 4 are the runs'.
     *
     * @param text read once; nothing here holds it while orders are merged
     * @param runs emptied, so that each goes when it has been merged
     * @param restStarts where documents start that no run holds, ascending
     */
    public static CoLexOrder merged(Supplier<int[]> text, List<SortedRun> runs, int[] restStarts) {
        TokenRanks ranks = TokenRanks.of(text.get());
        int[] order = new RunMerging(ranks).order(runs, restStarts);
        return new CoLexOrder(order, ends(order, ranks), HiddenEntries.NONE);
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
