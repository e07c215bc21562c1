package io.tailrace.suffix.segment;

import io.tailrace.suffix.TokenText;
import io.tailrace.suffix.order.CoLexOrder;
import java.util.List;

/** Everything a segment file holds, as arrays, before it is written. */
record SegmentContent(
        int[] text,
        CoLexOrder order,
        LastTokenTable table,
        int[] documentStarts,
        long[] times,
        int[] multiplicities,
        boolean repeats,
        MultiplicitySums sums,
        long liveTokens) {

    private static final long TEXT_LENGTH_MAX = Integer.MAX_VALUE / (2 * Integer.BYTES);

    /** Lays out documents, which stand in {@link Document#SEGMENT_ORDER}, and sorts their end positions. */
    static SegmentContent of(List<Document> documents) {
        int[] text = text(documents);
        return of(documents, text, CoLexOrder.of(text, text.length));
    }

    /** Lays out documents whose end positions are sorted already. */
    static SegmentContent of(List<Document> documents, int[] text, CoLexOrder order) {
        int count = documents.size();
        int[] starts = new int[count + 1];
        long[] times = new long[count];
        int[] multiplicities = new int[count];
        long liveTokens = 0;
        boolean repeats = false;
        for (int i = 0; i < count; i++) {
            Document document = documents.get(i);
            starts[i + 1] = starts[i] + document.tokens().length + 1;
            times[i] = document.completedAtMillis();
            multiplicities[i] = document.multiplicity();
            repeats |= document.multiplicity() > 1;
            liveTokens += document.liveTokens();
        }
        LastTokenTable table = LastTokenTable.of(text, order.order().length);
        MultiplicitySums sums = repeats ? MultiplicitySums.of(order, starts, multiplicities) : MultiplicitySums.NONE;
        return new SegmentContent(text, order, table, starts, times, multiplicities, repeats, sums, liveTokens);
    }

    /** The documents' tokens, a terminator after each. */
    static int[] text(List<Document> documents) {
        long length = 0;
        for (Document document : documents) {
            length += document.tokens().length + 1L;
        }
        if (length > TEXT_LENGTH_MAX) {
            throw new IllegalArgumentException("a segment's text must be at most " + TEXT_LENGTH_MAX
                    + " tokens, so that its file stays under 2 GiB; got " + length
                    + "; lower the lane's token budget or merge fewer segments");
        }
        int[] text = new int[(int) length];
        int at = 0;
        for (Document document : documents) {
            int[] tokens = document.tokens();
            System.arraycopy(tokens, 0, text, at, tokens.length);
            at += tokens.length;
            text[at++] = TokenText.TERMINATOR;
        }
        return text;
    }

    long newestCompletedAtMillis() {
        return times[times.length - 1];
    }

    SegmentHeader header(SegmentIdentity identity, int[] checksums) {
        return new SegmentHeader(
                identity,
                times.length,
                text.length,
                order.order().length,
                order.ends().length,
                table.shift(),
                table.starts().length,
                repeats,
                liveTokens,
                newestCompletedAtMillis(),
                checksums);
    }

    /** The section as {@code int[]} or {@code long[]}. */
    Object section(Section section) {
        return switch (section) {
            case TEXT -> text;
            case ORDER -> order.order();
            case ENDS -> order.ends();
            case LAST_TOKENS -> table.starts();
            case DOCUMENT_STARTS -> documentStarts;
            case TIMES -> times;
            case MULTIPLICITIES -> repeats ? multiplicities : new int[0];
            case ORDER_SUMS -> sums.ofOrder();
            case END_SUMS -> sums.ofEnds();
        };
    }
}
