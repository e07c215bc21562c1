package io.tailrace.suffix.segment;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.order.HiddenEntries;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;

/** Checks what stands behind a header that was decoded already. */
final class SegmentVerifier {
    private final Path file;
    private final ByteBuffer bytes;
    private final SegmentHeader header;

    SegmentVerifier(Path file, ByteBuffer bytes, SegmentHeader header) {
        this.file = file;
        this.bytes = bytes;
        this.header = header;
    }

    void checkIdentity(SegmentIdentity expected) throws CorruptSegmentException {
        if (!header.identity().equals(expected)) {
            throw CorruptSegmentException.foreign(file.toString(), expected, header.identity());
        }
    }

    /** Checks checksums, the SHA-256, and that the sections fit together; gives the whole file's SHA-256. */
    String checkEveryByte() throws CorruptSegmentException {
        for (Section section : Section.ALL) {
            int checksum = SegmentFormat.crc(slice(section));
            String expected = SegmentFormat.hex(header.checksums()[section.index()]);
            long offset = header.offset(section);
            SegmentFormat.requireEqual(
                    file, offset, "checksum of section " + section, expected, SegmentFormat.hex(checksum));
        }
        MessageDigest digest = SegmentFormat.sha256();
        int footer = (int) header.footerOffset();
        digest.update(bytes.slice(0, footer));
        String computed = SegmentFormat.hex(copyOf(digest).digest());
        String expected = SegmentFormat.hex(SegmentFormat.footerSha256(bytes));
        SegmentFormat.requireEqual(file, footer, "SHA-256 of everything before the footer", expected, computed);
        checkDocuments();
        checkTails();
        checkPositions(Section.ORDER, tokens(false));
        checkPositions(Section.ENDS, tokens(true));
        checkPositions(Section.HIDDEN, hidden());
        checkHiddenIndexes();
        checkSignatures();
        checkCopies();
        checkAscending(Section.LAST_TOKENS, header.orderLength());
        digest.update(bytes.slice(footer, SegmentFormat.FOOTER_BYTES));
        return SegmentFormat.hex(digest.digest());
    }

    /** SHA-256 of a whole file. */
    static String sha256(ByteBuffer file) {
        MessageDigest digest = SegmentFormat.sha256();
        digest.update(file.slice(0, file.limit()));
        return SegmentFormat.hex(digest.digest());
    }

    private void checkDocuments() throws CorruptSegmentException {
        checkAscending(Section.DOCUMENT_STARTS, header.textLength());
        IntBuffer text = ints(Section.TEXT);
        IntBuffer starts = ints(Section.DOCUMENT_STARTS);
        int vocabularySize = header.identity().vocabularySize();
        int document = 0;
        for (int i = 0; i < text.limit(); i++) {
            int token = text.get(i);
            boolean ends = i + 1 == starts.get(document + 1);
            if (ends ? token != -1 : token < 0 || token >= vocabularySize) {
                String expected = ends ? "a terminator, -1" : "a token, 0 to " + (vocabularySize - 1);
                throw broken(Section.TEXT, i, "entry of document " + document, expected, token);
            }
            document += ends ? 1 : 0;
        }
    }

    private void checkTails() throws CorruptSegmentException {
        IntBuffer tails = ints(Section.TAILS);
        IntBuffer starts = ints(Section.DOCUMENT_STARTS);
        long hidden = 0;
        for (int document = 0; document < tails.limit(); document++) {
            int tail = tails.get(document);
            int most = Math.min(RememberedAnswer.TAIL_TOKENS_MAX, starts.get(document + 1) - starts.get(document) - 2);
            if (tail < 0 || tail > Math.max(0, most)) {
                throw broken(Section.TAILS, document, "tail", "0 to " + Math.max(0, most), tail);
            }
            hidden += HiddenEntries.hidden(tail);
        }
        if (hidden != header.hiddenLength()) {
            throw broken(Section.TAILS, 0, "hidden entries", hidden, header.hiddenLength());
        }
    }

    private void checkHiddenIndexes() throws CorruptSegmentException {
        IntBuffer indexes = ints(Section.HIDDEN_INDEXES);
        int previous = -1;
        int last = header.orderLength() + header.hiddenLength() - 1;
        for (int i = 0; i < indexes.limit(); i++) {
            int index = indexes.get(i);
            if (index <= previous || index > last) {
                throw broken(Section.HIDDEN_INDEXES, i, "index", (previous + 1) + " to " + last, index);
            }
            previous = index;
        }
    }

    /** Of each document, hashes ascend, each once; behind the last there are none. */
    private void checkSignatures() throws CorruptSegmentException {
        CharBuffer hashes = slice(Section.SIGNATURES).asCharBuffer();
        for (int i = 0; i < hashes.limit(); i++) {
            char hash = hashes.get(i);
            char before = i % PromptSignature.HASHES_MAX == 0 ? PromptSignature.NO_HASH : hashes.get(i - 1);
            boolean first = i % PromptSignature.HASHES_MAX == 0;
            boolean ended = !first && before == PromptSignature.NO_HASH;
            if (ended ? hash != PromptSignature.NO_HASH : hash <= before && hash != PromptSignature.NO_HASH) {
                int document = i / PromptSignature.HASHES_MAX;
                String expected = ended ? "none" : "none, or above " + (int) before;
                throw broken(Section.SIGNATURES, document, "hash of document " + document, expected, (int) hash);
            }
        }
    }

    /** Only an answer's tokens have bits, and only where its terminator has one. */
    private void checkCopies() throws CorruptSegmentException {
        if (!header.copies()) {
            return;
        }
        LongBuffer copies = slice(Section.COPIES).asLongBuffer();
        IntBuffer tails = ints(Section.TAILS);
        IntBuffer starts = ints(Section.DOCUMENT_STARTS);
        for (int document = 0; document + 1 < starts.limit(); document++) {
            int terminator = starts.get(document + 1) - 1;
            int tail = tails.limit() == 0 ? 0 : tails.get(document);
            boolean known = isSet(copies, terminator);
            int clear = known ? starts.get(document) + tail : terminator;
            checkClear(copies, starts.get(document), clear, (known ? "the tail of document " : "document ") + document);
        }
        checkClear(copies, header.textLength(), Long.SIZE * copies.limit(), "what follows the text");
    }

    private void checkClear(LongBuffer copies, int from, int to, String where) throws CorruptSegmentException {
        for (int position = from; position < to; position++) {
            if (isSet(copies, position)) {
                throw broken(Section.COPIES, position >>> 6, "bit of position " + position, "0 in " + where, 1);
            }
        }
    }

    private static boolean isSet(LongBuffer bits, int position) {
        return (bits.get(position >>> 6) & 1L << position) != 0;
    }

    private void checkAscending(Section section, int last) throws CorruptSegmentException {
        IntBuffer values = ints(section);
        int previous = section == Section.DOCUMENT_STARTS ? -1 : 0;
        int step = section == Section.DOCUMENT_STARTS ? 1 : 0;
        for (int i = 0; i < values.limit(); i++) {
            int value = values.get(i);
            if (value < previous + step || (i == 0 && value != 0)) {
                throw broken(section, i, "entry of " + section, i == 0 ? 0 : "at least " + (previous + step), value);
            }
            previous = value;
        }
        if (previous != last) {
            throw broken(section, values.limit() - 1, "last entry of " + section, last, previous);
        }
    }

    private void checkPositions(Section section, long[] allowed) throws CorruptSegmentException {
        IntBuffer positions = ints(section);
        int length = header.textLength();
        for (int i = 0; i < positions.limit(); i++) {
            int position = positions.get(i);
            if (position < 0 || position >= length - 1) {
                throw broken(section, i, "entry of " + section, "0 to " + (length - 2), position);
            }
            if ((allowed[position >>> 6] & (1L << position)) == 0) {
                String expected = switch (section) {
                    case ORDER -> "a token that a token of the answer follows";
                    case HIDDEN -> "a token that another of the prompt's tail follows";
                    default -> "a document's last token";
                };
                throw broken(section, i, "entry of " + section, expected, "position " + position);
            }
        }
    }

    /**
     * A bit for each position of a document's last token, or of all others that may be seen: the order is looked up at random, and bits
     * stay cached.
     */
    private long[] tokens(boolean last) {
        IntBuffer text = ints(Section.TEXT);
        long[] bits = new long[(text.limit() >>> 6) + 1];
        for (int i = 0; i + 1 < text.limit(); i++) {
            if (text.get(i) >= 0 && (text.get(i + 1) < 0) == last) {
                bits[i >>> 6] |= 1L << i;
            }
        }
        if (!last) {
            long[] hidden = hidden();
            for (int i = 0; i < bits.length; i++) {
                bits[i] &= ~hidden[i];
            }
        }
        return bits;
    }

    /** A bit for each position inside a prompt's tail. */
    private long[] hidden() {
        IntBuffer tails = ints(Section.TAILS);
        IntBuffer starts = ints(Section.DOCUMENT_STARTS);
        long[] bits = new long[(header.textLength() >>> 6) + 1];
        for (int document = 0; document < tails.limit(); document++) {
            int from = starts.get(document);
            int to = from + HiddenEntries.hidden(tails.get(document));
            for (int position = from; position < to; position++) {
                bits[position >>> 6] |= 1L << position;
            }
        }
        return bits;
    }

    private CorruptSegmentException broken(Section section, int entry, String what, Object expected, Object got) {
        long offset = header.offset(section) + (long) entry * section.entryBytes();
        return CorruptSegmentException.at(file, offset, what, expected, got);
    }

    private IntBuffer ints(Section section) {
        return slice(section).asIntBuffer();
    }

    private ByteBuffer slice(Section section) {
        return bytes.slice((int) header.offset(section), (int) header.sectionBytes(section))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private static MessageDigest copyOf(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("SHA-256 cannot be continued", e);
        }
    }

    /**
     * Checks in linear time that a segment's order, with the places inside prompts' tails, is sorted and complete: two neighbours are in order if their tokens are, or, the
     * tokens being equal, if the positions before them are (Burkhardt and Kaerkkaeinen 2003). Needs 4 bytes a token.
     */
    static final class OrderChecker {
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

        void check(IntBuffer ends, IntBuffer visible, IntBuffer lastTokens) throws CorruptSegmentException {
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
            checkTable(visible, lastTokens);
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

        private void checkTable(IntBuffer visible, IntBuffer lastTokens) throws CorruptSegmentException {
            for (int i = 0; i < visible.limit(); i++) {
                int bucket = text.get(visible.get(i)) >>> header.tableShift();
                boolean inside = bucket < lastTokens.limit() - 1
                        && lastTokens.get(bucket) <= i
                        && i < lastTokens.get(bucket + 1);
                if (!inside) {
                    throw broken(
                            Section.LAST_TOKENS, bucket, "a bucket that holds order entry " + i, "one that does not");
                }
            }
        }

        private CorruptSegmentException broken(Section section, int entry, Object expected, Object got) {
            long offset = header.offset(section) + (long) entry * section.entryBytes();
            return CorruptSegmentException.at(file, offset, "entry of " + section, expected, got);
        }
    }
}
