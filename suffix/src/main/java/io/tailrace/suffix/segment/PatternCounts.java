package io.tailrace.suffix.segment;

import io.tailrace.suffix.order.CoLexSearch;
import io.tailrace.suffix.segment.Segment.NextTokens;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * How often patterns occur in a segment, each document counted with its multiplicity. The places that end like a pattern stand side by side in an order, so
 * their number is the width of an interval, found by binary search. Safe for any number of threads.
 */
final class PatternCounts {
    private final IntBuffer text;
    private final Order order;
    private final Order ends;
    private final SegmentDocuments repeated;

    /**
     * Places sorted by what stands before them.
     *
     * @param positions of the text
     * @param sums of multiplicities before each {@value SegmentHeader#SUM_STRIDE}th of them; empty where none is above one
     */
    record Order(IntBuffer positions, LongBuffer sums) {}

    /**
     * Counts of a segment.
     *
     * @param order of the places after which a token comes
     * @param ends of those after which a document ends
     * @param repeated documents that have multiplicities; null: each stands for one generation
     */
    PatternCounts(IntBuffer text, Order order, Order ends, SegmentDocuments repeated) {
        this.text = text;
        this.order = order;
        this.ends = ends;
        this.repeated = repeated;
    }

    /**
     * How often a pattern occurs.
     *
     * @param from where the places that bear its last token begin in the order
     * @param to where they end
     */
    long count(int[] pattern, int from, int to) {
        return weight(first(pattern, from, to), behind(pattern, from, to), order)
                + endings(pattern, pattern.length, pattern.length);
    }

    /** What follows a pattern, and how often, with places as in {@link #count}; reads every occurrence. */
    NextTokens nextTokens(int[] pattern, int from, int to) {
        Map<Integer, Long> counts = new TreeMap<>();
        int behind = behind(pattern, from, to);
        for (int i = first(pattern, from, to); i < behind; i++) {
            int position = order.positions().get(i);
            counts.merge(text.get(position + 1), (long) copies(position), Long::sum);
        }
        return new NextTokens(
                counts.keySet().stream().mapToInt(Integer::intValue).toArray(),
                counts.values().stream().mapToLong(Long::longValue).toArray(),
                endings(pattern, pattern.length, pattern.length));
    }

    /** How often a document ends after the last tokens of a context; allocates nothing. */
    long endings(int[] context, int length, int patternLength) {
        IntBuffer positions = ends.positions();
        int from = CoLexSearch.bound(text, positions, 0, positions.limit(), context, length, patternLength, false);
        int to = CoLexSearch.bound(text, positions, from, positions.limit(), context, length, patternLength, true);
        return weight(from, to, ends);
    }

    /** The first of the places {@code from} to {@code to} of the order that end like the pattern. */
    private int first(int[] pattern, int from, int to) {
        return CoLexSearch.bound(text, order.positions(), from, to, pattern, pattern.length, false);
    }

    /** The first one behind them. */
    private int behind(int[] pattern, int from, int to) {
        return CoLexSearch.bound(text, order.positions(), from, to, pattern, pattern.length, true);
    }

    private long weight(int from, int to, Order places) {
        return repeated == null ? (long) to - from : weightBefore(to, places) - weightBefore(from, places);
    }

    private long weightBefore(int index, Order places) {
        int block = index / SegmentHeader.SUM_STRIDE;
        long weight = places.sums().get(block);
        for (int i = block * SegmentHeader.SUM_STRIDE; i < index; i++) {
            weight += copies(places.positions().get(i));
        }
        return weight;
    }

    private int copies(int position) {
        return repeated == null ? 1 : repeated.copies(position);
    }
}
