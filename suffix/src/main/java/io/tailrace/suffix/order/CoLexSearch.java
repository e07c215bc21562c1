package io.tailrace.suffix.order;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import java.nio.IntBuffer;

/**
 * Searches a text through its co-lexicographic order: the end positions sorted by the text read backwards from them.
 *
 * <p>In that order the end positions of any pattern are one interval, and the places that match a context longest are the
 * neighbours of the context's insertion point. So {@link #nearest} is one binary search and a walk outwards that always
 * takes the side with the longer match; match lengths only fall on each side, hence the result is sorted. {@link #bound}
 * gives an interval's ends. Nothing is kept between calls and nothing is allocated.
 *
 * <p>The binary search carries the match lengths at both ends of the remaining interval (Manber and Myers 1993): what both
 * ends share with the context, everything between them shares too and is not compared again.
 *
 * <p>A text position that does not exist surfaces as {@link IndexOutOfBoundsException}, so damaged data end in an exception.
 */
public final class CoLexSearch {
    /** An interval this small is read at once before a walk: what is left of the search and most of the walk are in it. */
    private static final int WINDOW = 32;

    /** Where fewer occurrences are wanted, most of a window would be read for nothing. */
    private static final int WINDOW_COUNT_MIN = 8;

    /** Below it the interval's places are few enough to be in the cache already. */
    private static final int TOUCHED_INTERVAL_MIN = 64;

    private static final int MATCH_PACKED_MAX = 0xffff;

    private CoLexSearch() {}

    /**
     * Adds the occurrences in {@code order[from..to)} nearest to the context's end; see {@link OccurrenceIndex#nearest}.
     *
     * @param owner the text as occurrences shall name it
     */
    public static int nearest(
            IntBuffer text,
            IntBuffer order,
            int from,
            int to,
            int[] context,
            int length,
            int countMax,
            int source,
            TokenText owner,
            Occurrences into) {
        int depth = Math.min(length, OccurrenceIndex.MATCH_LENGTH_MAX);
        int window = countMax < WINDOW_COUNT_MIN ? 0 : WINDOW;
        long place = insertion(text, order, from, to, context, length, depth, false, window);
        int low = index(place);
        int leftMatch = matchBefore(place);
        int rightMatch = matchAt(place);
        int left = low - 1;
        int right = low;
        int added = 0;
        while (added < countMax && (leftMatch > 0 || rightMatch > 0)) {
            if (rightMatch >= leftMatch) {
                int position = order.get(right);
                into.add(owner, position, rightMatch, source, text.get(position + 1));
                right++;
                rightMatch = right < to ? match(text, order.get(right), context, length, rightMatch, 0) : 0;
            } else {
                int position = order.get(left);
                into.add(owner, position, leftMatch, source, text.get(position + 1));
                left--;
                leftMatch = left >= from ? match(text, order.get(left), context, length, leftMatch, 0) : 0;
            }
            added++;
        }
        return added;
    }

    /**
     * Reads places once, without waiting for one before asking for the next: what follows then finds them in the cache
     * instead of paying a memory access for each of its steps.
     */
    private static void touch(IntBuffer text, IntBuffer order, int from, int to) {
        int touched = 0;
        for (int i = from; i < to; i++) {
            touched |= text.get(order.get(i));
        }
        if (touched < 0) {
            throw damaged(from, to);
        }
    }

    private static IndexOutOfBoundsException damaged(int from, int to) {
        return new IndexOutOfBoundsException("an entry of order[" + from + ".." + to + ") points at no token");
    }

    /**
     * Index in {@code order[from..to)} of the first end position of the pattern ({@code after} false), or the first one
     * behind them ({@code after} true).
     */
    public static int bound(
            IntBuffer text, IntBuffer order, int from, int to, int[] pattern, int length, boolean after) {
        return bound(text, order, from, to, pattern, length, length, after);
    }

    /** As {@link #bound(IntBuffer, IntBuffer, int, int, int[], int, boolean)}, of the last {@code depth} tokens of a context. */
    public static int bound(
            IntBuffer text, IntBuffer order, int from, int to, int[] context, int length, int depth, boolean after) {
        return index(insertion(text, order, from, to, context, length, depth, after, 0));
    }

    /**
     * Where the context stands among {@code order[from..to)}, before the places that match all of {@code depth} tokens or
     * after them, and what its two neighbours there match: packed, for {@link #index} and its sisters. An interval of at
     * most {@code window} places is touched with its neighbours.
     */
    private static long insertion(
            IntBuffer text,
            IntBuffer order,
            int from,
            int to,
            int[] context,
            int length,
            int depth,
            boolean after,
            int window) {
        int low = from;
        int high = to;
        boolean touched = false;
        int leftMatch = 0;
        int rightMatch = 0;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (!touched && high - low <= window) {
                touch(text, order, Math.max(from, low - 1), Math.min(to, high + 1));
                touched = true;
            }
            if (high - low > TOUCHED_INTERVAL_MIN) {
                touchQuarters(text, order, low, high);
            }
            int position = order.get(middle);
            int match = match(text, position, context, length, depth, Math.min(leftMatch, rightMatch));
            boolean before = match == depth ? after : isBefore(text, position, context, length, match);
            if (before) {
                low = middle + 1;
                leftMatch = match;
            } else {
                high = middle;
                rightMatch = match;
            }
        }
        return (long) low << 32
                | (long) Math.min(leftMatch, MATCH_PACKED_MAX) << 16
                | Math.min(rightMatch, MATCH_PACKED_MAX);
    }

    private static int index(long insertion) {
        return (int) (insertion >>> 32);
    }

    private static int matchBefore(long insertion) {
        return (int) (insertion >>> 16) & MATCH_PACKED_MAX;
    }

    private static int matchAt(long insertion) {
        return (int) insertion & MATCH_PACKED_MAX;
    }

    /** Asks for what the next step may compare with on either side while this one waits for the middle: half the waiting. */
    private static void touchQuarters(IntBuffer text, IntBuffer order, int low, int high) {
        int quarter = (high - low) >>> 2;
        int touched = text.get(order.get(low + quarter)) | text.get(order.get(high - quarter));
        if (touched < 0) {
            throw damaged(low, high);
        }
    }

    /** How many entries of {@code order[from..to)} end with the last {@code depth} tokens of a context. */
    public static int count(IntBuffer text, IntBuffer order, int from, int to, int[] context, int length, int depth) {
        int first = bound(text, order, from, to, context, length, depth, false);
        return bound(text, order, first, to, context, length, depth, true) - first;
    }

    /** How many tokens match, reading backwards from {@code position} and from the context's end; {@code known} match for sure. */
    private static int match(IntBuffer text, int position, int[] context, int length, int depth, int known) {
        int matched = known;
        while (matched < depth
                && position >= matched
                && text.get(position - matched) == context[length - 1 - matched]) {
            matched++;
        }
        return matched;
    }

    private static boolean isBefore(IntBuffer text, int position, int[] context, int length, int match) {
        return position < match || text.get(position - match) < context[length - 1 - match];
    }
}
