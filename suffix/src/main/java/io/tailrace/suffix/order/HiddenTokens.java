package io.tailrace.suffix.order;

import java.nio.IntBuffer;
import java.util.Arrays;

/**
 * Which tokens stand at hidden places of an order: few, since prompts in chat formats end alike. Immutable.
 *
 * <p>Cost: hidden entries are sorted by token, so each distinct one is found by a search in growing strides; nothing is read but where
 * tokens change. Beyond {@value #KNOWN_MAX} of them any token may be hidden.
 */
public final class HiddenTokens {
    private static final int KNOWN_MAX = 64;

    /** Ascending; null: any. */
    private final int[] tokens;

    private HiddenTokens(int[] tokens) {
        this.tokens = tokens;
    }

    /**
     * Reads them.
     *
     * @param text whose order it is
     * @param hidden positions of {@link HiddenEntries}
     */
    public static HiddenTokens of(IntBuffer text, IntBuffer hidden) {
        int[] found = new int[KNOWN_MAX];
        int count = 0;
        for (int at = 0; at < hidden.limit(); at = next(text, hidden, at, found[count - 1])) {
            if (count == KNOWN_MAX) {
                return new HiddenTokens(null);
            }
            found[count++] = text.get(hidden.get(at));
        }
        return new HiddenTokens(Arrays.copyOf(found, count));
    }

    /** The first entry from one on that ends with a larger token than that one does. */
    private static int next(IntBuffer text, IntBuffer hidden, int from, int token) {
        int stride = 1;
        int low = from;
        while (low + stride < hidden.limit() && text.get(hidden.get(low + stride)) <= token) {
            low += stride;
            stride *= 2;
        }
        int high = Math.min(hidden.limit(), low + stride);
        low++;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (text.get(hidden.get(middle)) <= token) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Whether a hidden place may end with the token. */
    public boolean contains(int token) {
        return tokens == null || Arrays.binarySearch(tokens, token) >= 0;
    }
}
