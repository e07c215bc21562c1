package io.tailrace.suffix.order;

import java.nio.IntBuffer;
import java.util.Arrays;

/**
 * Some documents of a text, in the order of its positions, and the co-lexicographic order of their positions alone.
 *
 * @param order their positions whose document goes on, sorted
 * @param starts where the documents start, ascending
 */
public record SortedRun(int[] order, int[] starts) {
    /**
     * What is left of another text's order.
     *
     * @param known the other text's order
     * @param places for each position of the other text its place in this one, or -1 if it was dropped; documents that are kept
     *     stand in the same sequence
     * @param starts where they start in this text, ascending
     */
    public static SortedRun kept(IntBuffer known, int[] places, int[] starts) {
        int[] kept = new int[known.limit()];
        int count = 0;
        for (int i = 0; i < kept.length; i++) {
            int place = places[known.get(i)];
            if (place >= 0) {
                kept[count++] = place;
            }
        }
        return new SortedRun(count == kept.length ? kept : Arrays.copyOf(kept, count), starts);
    }

    int length() {
        return order.length;
    }
}
