package io.tailrace.suffix.segment;

import java.nio.IntBuffer;
import java.nio.file.Path;

/**
 * Checks in linear time that a segment's order is sorted and complete: two neighbours are in order if their tokens are, or, the
 * tokens being equal, if the positions before them are (Burkhardt and Kaerkkaeinen 2003). Needs 4 bytes a token.
 */
final class OrderChecker {
    private static final int DOCUMENT_START = -1;

    private final Path file;
    private final SegmentHeader header;
    private final IntBuffer text;
    private final IntBuffer order;
    private final int[] rank;

    OrderChecker(Path file, SegmentHeader header, IntBuffer text, IntBuffer order) {
        this.file = file;
        this.header = header;
        this.text = text;
        this.order = order;
        this.rank = new int[text.limit()];
    }

    void check(IntBuffer ends, IntBuffer lastTokens) throws CorruptSegmentException {
        for (int i = 0; i < order.limit(); i++) {
            int position = order.get(i);
            if (rank[position] != 0) {
                throw broken(Section.ORDER, i, "a position that is not listed before", position);
            }
            rank[position] = i + 1;
        }
        int going = 0;
        for (int position = 0; position + 1 < text.limit(); position++) {
            going += text.get(position) >= 0 && text.get(position + 1) >= 0 ? 1 : 0;
        }
        if (going != order.limit()) {
            throw broken(Section.ORDER, 0, going + " entries", order.limit());
        }
        checkSorted(Section.ORDER, order);
        checkSorted(Section.ENDS, ends);
        checkTable(lastTokens);
    }

    private void checkSorted(Section section, IntBuffer positions) throws CorruptSegmentException {
        for (int i = 1; i < positions.limit(); i++) {
            int one = positions.get(i - 1);
            int other = positions.get(i);
            int token = text.get(one);
            int otherToken = text.get(other);
            boolean sorted = token == otherToken ? isBefore(one, other) : token < otherToken;
            if (!sorted) {
                throw broken(section, i, "a position that sorts after " + one, other);
            }
        }
    }

    /** Order of two positions with the same token. */
    private boolean isBefore(int one, int other) {
        int rankBefore = rankBefore(one);
        int otherRankBefore = rankBefore(other);
        return rankBefore == otherRankBefore ? one < other : rankBefore < otherRankBefore;
    }

    private int rankBefore(int position) {
        return position == 0 || text.get(position - 1) < 0 ? DOCUMENT_START : rank[position - 1];
    }

    private void checkTable(IntBuffer lastTokens) throws CorruptSegmentException {
        for (int i = 0; i < order.limit(); i++) {
            int bucket = text.get(order.get(i)) >>> header.tableShift();
            boolean inside =
                    bucket < lastTokens.limit() - 1 && lastTokens.get(bucket) <= i && i < lastTokens.get(bucket + 1);
            if (!inside) {
                throw broken(Section.LAST_TOKENS, bucket, "a bucket that holds order entry " + i, "one that does not");
            }
        }
    }

    private CorruptSegmentException broken(Section section, int entry, Object expected, Object got) {
        long offset = header.offset(section) + (long) entry * section.entryBytes();
        return CorruptSegmentException.at(file, offset, "entry of " + section, expected, got);
    }
}
