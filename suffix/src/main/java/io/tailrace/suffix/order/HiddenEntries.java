package io.tailrace.suffix.order;

import java.nio.IntBuffer;
import java.util.Arrays;

/**
 * Entries of a co-lexicographic order that no search shall see, and where they stood in it: the places inside prompts' tails. Searches
 * go through the order without them; orders are merged with them.
 *
 * @param positions theirs, in the sequence of the order
 * @param indexes of each in the whole order, ascending
 */
public record HiddenEntries(int[] positions, int[] indexes) {
    /** Nothing is hidden. */
    public static final HiddenEntries NONE = new HiddenEntries(new int[0], new int[0]);

    /**
     * How many places of a tail are hidden: the last one is not, since what goes on after it is the answer.
     *
     * @param tailTokens its length
     * @return none, or one less than its tokens
     */
    public static int hidden(int tailTokens) {
        return Math.max(0, tailTokens - 1);
    }

    /** Those entries of an order that lie in the tails that documents begin with. */
    static HiddenEntries of(int[] whole, int[] documentStarts, int[] tails) {
        long[] bits = new long[(documentStarts[tails.length] >>> 6) + 1];
        int count = 0;
        for (int document = 0; document < tails.length; document++) {
            int from = documentStarts[document];
            int to = from + hidden(tails[document]);
            for (int position = from; position < to; position++) {
                bits[position >>> 6] |= 1L << position;
            }
            count += to - from;
        }
        int[] positions = new int[count];
        int[] indexes = new int[count];
        int found = 0;
        for (int i = 0; found < count; i++) {
            if ((bits[whole[i] >>> 6] & (1L << whole[i])) != 0) {
                positions[found] = whole[i];
                indexes[found++] = i;
            }
        }
        return new HiddenEntries(positions, indexes);
    }

    /** An order without them. */
    int[] visible(int[] whole) {
        if (indexes.length == 0) {
            return whole;
        }
        int[] visible = new int[whole.length - indexes.length];
        int from = 0;
        for (int i = 0; i < indexes.length; i++) {
            System.arraycopy(whole, from, visible, from - i, indexes[i] - from);
            from = indexes[i] + 1;
        }
        System.arraycopy(whole, from, visible, from - indexes.length, whole.length - from);
        return visible;
    }

    /**
     * An order with them again.
     *
     * @param visible the order without them
     * @return the whole order
     */
    public IntBuffer whole(IntBuffer visible) {
        if (indexes.length == 0) {
            return visible;
        }
        int[] whole = new int[visible.limit() + indexes.length];
        int from = 0;
        for (int i = 0; i < indexes.length; i++) {
            visible.get(from - i, whole, from, indexes[i] - from);
            whole[indexes[i]] = positions[i];
            from = indexes[i] + 1;
        }
        visible.get(from - indexes.length, whole, from, whole.length - from);
        return IntBuffer.wrap(whole);
    }

    /** By what the entries are. */
    @Override
    public boolean equals(Object other) {
        return other instanceof HiddenEntries that
                && Arrays.equals(positions, that.positions)
                && Arrays.equals(indexes, that.indexes);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(positions) + Arrays.hashCode(indexes);
    }
}
