package io.tailrace.suffix.segment;

import java.util.Arrays;

/**
 * The numbers in a segment's header; everything else about the file's shape follows from them.
 *
 * @param documents distinct documents
 * @param textLength tokens and terminators
 * @param orderLength end positions whose document goes on
 * @param endsLength documents with at least one token
 * @param tableShift last-token table: bucket of a token is {@code token >>> tableShift}
 * @param tableLength last-token table: entries
 * @param repeats whether a document's multiplicity is above one
 * @param tails whether a document begins with a prompt's tail
 * @param hiddenLength end positions within tails
 * @param signatures whether a document has a signature of its prompt
 * @param copies whether it is known of a document which of its tokens are copied
 * @param liveTokens tokens of answers times multiplicity, summed
 * @param newestCompletedAtMillis newest completion time
 * @param checksums CRC32C of each section
 */
record SegmentHeader(
        SegmentIdentity identity,
        int documents,
        int textLength,
        int orderLength,
        int endsLength,
        int tableShift,
        int tableLength,
        boolean repeats,
        boolean tails,
        int hiddenLength,
        boolean signatures,
        boolean copies,
        long liveTokens,
        long newestCompletedAtMillis,
        int[] checksums) {

    /** Order entries that share one prefix sum of multiplicities. */
    static final int SUM_STRIDE = 64;

    long entries(Section section) {
        return switch (section) {
            case TEXT -> textLength;
            case ORDER -> orderLength;
            case ENDS -> endsLength;
            case LAST_TOKENS -> tableLength;
            case DOCUMENT_STARTS -> documents + 1L;
            case TIMES -> documents;
            case MULTIPLICITIES -> repeats ? documents : 0;
            case ORDER_SUMS -> repeats ? sums(orderLength) : 0;
            case END_SUMS -> repeats ? sums(endsLength) : 0;
            case TAILS -> tails ? documents : 0;
            case HIDDEN, HIDDEN_INDEXES -> hiddenLength;
            case SIGNATURES -> signatures ? documents : 0;
            case COPIES -> copies ? (textLength + 63L) / 64 : 0;
        };
    }

    long sectionBytes(Section section) {
        return entries(section) * section.entryBytes();
    }

    long offset(Section section) {
        long offset = SegmentFormat.headerBytes(identity);
        for (Section before : Arrays.copyOf(Section.ALL, section.index())) {
            offset += SegmentFormat.aligned(sectionBytes(before));
        }
        return offset;
    }

    long footerOffset() {
        Section last = Section.ALL[Section.ALL.length - 1];
        return offset(last) + SegmentFormat.aligned(sectionBytes(last));
    }

    long fileBytes() {
        return footerOffset() + SegmentFormat.FOOTER_BYTES;
    }

    static int sums(int entries) {
        return entries / SUM_STRIDE + 1;
    }
}
