package io.tailrace.suffix.segment;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.TokenText;
import io.tailrace.suffix.order.CoLexOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.BitSet;
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
        int[] tails,
        char[] signatures,
        long[] copies,
        MultiplicitySums sums,
        long liveTokens) {

    private static final long TEXT_LENGTH_MAX = Integer.MAX_VALUE / (2 * Integer.BYTES);

    /** Lays out documents, which stand in {@link Document#SEGMENT_ORDER}, and sorts their end positions. */
    static SegmentContent of(List<Document> documents) {
        int[] text = text(documents);
        return of(documents, text, CoLexOrder.of(text, text.length));
    }

    /** Lays out documents whose end positions, those in prompts' tails among them, are sorted already. */
    static SegmentContent of(List<Document> documents, int[] text, CoLexOrder whole) {
        int count = documents.size();
        int[] starts = new int[count + 1];
        long[] times = new long[count];
        int[] multiplicities = new int[count];
        int[] tails = new int[count];
        long liveTokens = 0;
        boolean repeats = false;
        boolean anyTail = false;
        for (int i = 0; i < count; i++) {
            Document document = documents.get(i);
            starts[i + 1] = starts[i] + document.length() + 1;
            times[i] = document.completedAtMillis();
            multiplicities[i] = document.multiplicity();
            repeats |= document.multiplicity() > 1;
            tails[i] = document.tail();
            anyTail |= document.tail() > 0;
            liveTokens += document.liveTokens();
        }
        CoLexOrder order = anyTail ? whole.hiding(starts, tails) : whole;
        LastTokenTable table = LastTokenTable.of(text, order);
        MultiplicitySums sums = repeats ? MultiplicitySums.of(order, starts, multiplicities) : MultiplicitySums.NONE;
        return new SegmentContent(
                text,
                order,
                table,
                starts,
                times,
                multiplicities,
                repeats,
                anyTail ? tails : new int[0],
                signatures(documents),
                copies(documents, starts),
                sums,
                liveTokens);
    }

    /** A bit for each copied token, and one for the terminator of a document of which that is known; empty if it is known of none. */
    private static long[] copies(List<Document> documents, int[] starts) {
        if (documents.stream().allMatch(document -> document.copied() == null)) {
            return new long[0];
        }
        int length = starts[documents.size()];
        long[] copies = new long[(int) ((length + 63L) / 64)];
        for (int i = 0; i < documents.size(); i++) {
            BitSet copied = documents.get(i).copied();
            if (copied != null) {
                BitRuns.write(copied, copies, starts[i] + documents.get(i).tail());
                int terminator = starts[i + 1] - 1;
                copies[terminator >>> 6] |= 1L << terminator;
            }
        }
        return copies;
    }

    /** Of each document {@value PromptSignature#HASHES_MAX} places, filled with hashes and then with none; empty if no document has a signature. */
    private static char[] signatures(List<Document> documents) {
        if (documents.stream().allMatch(document -> document.signature().size() == 0)) {
            return new char[0];
        }
        char[] signatures = new char[documents.size() * PromptSignature.HASHES_MAX];
        for (int i = 0; i < documents.size(); i++) {
            PromptSignature signature = documents.get(i).signature();
            for (int number = 0; number < signature.size(); number++) {
                signatures[i * PromptSignature.HASHES_MAX + number] = signature.hash(number);
            }
        }
        return signatures;
    }

    /** The documents' texts, a terminator after each. */
    static int[] text(List<Document> documents) {
        long length = 0;
        for (Document document : documents) {
            length += document.length() + 1L;
        }
        if (length > TEXT_LENGTH_MAX) {
            throw new IllegalArgumentException("a segment's text must be at most " + TEXT_LENGTH_MAX
                    + " tokens, so that its file stays under 2 GiB; got " + length
                    + "; lower the lane's token budget or merge fewer segments");
        }
        int[] text = new int[(int) length];
        int at = 0;
        for (Document document : documents) {
            document.text().get(0, text, at, document.length());
            at += document.length();
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
                tails.length > 0,
                order.hidden().positions().length,
                signatures.length > 0,
                copies.length > 0,
                liveTokens,
                newestCompletedAtMillis(),
                checksums);
    }

    /** The section as {@code int[]}, {@code long[]} or {@code char[]}. */
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
            case TAILS -> tails;
            case HIDDEN -> order.hidden().positions();
            case HIDDEN_INDEXES -> order.hidden().indexes();
            case SIGNATURES -> signatures;
            case COPIES -> copies;
        };
    }

    /**
     * Where the end positions of each last token start in the order. Tokens are put into buckets of {@code 1 << shift}
     * neighbouring ids, wide enough that the table takes at most a quarter byte a token: with a large segment each token has its
     * own bucket, with a small one or a huge vocabulary a bucket holds several, and the search just starts a few steps wider.
     *
     * @param shift a token's bucket is {@code token >>> shift}
     * @param starts first order entry of each bucket, and one more: their number
     */
    record LastTokenTable(int shift, int[] starts) {
        private static final int BUCKETS_MIN = 64;
        private static final int ENTRIES_PER_BUCKET = 16;

        static LastTokenTable of(int[] text, CoLexOrder order) {
            int tokenMax = -1;
            for (int token : text) {
                tokenMax = Math.max(tokenMax, token);
            }
            int bucketsMax = Math.max(BUCKETS_MIN, order.order().length / ENTRIES_PER_BUCKET);
            int shift = 0;
            while (tokenMax >>> shift >= bucketsMax && tokenMax >= 0) {
                shift++;
            }
            int[] starts = new int[(tokenMax >> shift) + 2];
            for (int i = 0; i + 1 < text.length; i++) {
                if (text[i] >= 0 && text[i + 1] >= 0) {
                    starts[(text[i] >>> shift) + 1]++;
                }
            }
            for (int position : order.hidden().positions()) {
                starts[(text[position] >>> shift) + 1]--;
            }
            for (int i = 1; i < starts.length; i++) {
                starts[i] += starts[i - 1];
            }
            return new LastTokenTable(shift, starts);
        }

        /** First order entry of the token's bucket; with {@code bucketsOn} 1, of the next bucket. */
        static int start(IntBuffer starts, int shift, int token, int bucketsOn) {
            int last = starts.limit() - 1;
            int bucket = token >>> shift;
            return starts.get(Integer.compareUnsigned(bucket, last) < 0 ? bucket + bucketsOn : last);
        }
    }

    /**
     * Prefix sums of multiplicities along both orders: entry i is the sum over the first {@code 64 * i} positions.
     *
     * <p>Most documents stand for one generation. Positions of the others have a bit each, which stays cached while orders are walked at
     * random; only behind a set bit the multiplicity is looked up.
     */
    record MultiplicitySums(long[] ofOrder, long[] ofEnds) {
        static final MultiplicitySums NONE = new MultiplicitySums(new long[0], new long[0]);

        static MultiplicitySums of(CoLexOrder order, int[] documentStarts, int[] multiplicities) {
            int length = documentStarts[multiplicities.length];
            long[] repeated = new long[(length >>> 6) + 1];
            int[] multiplicityAt = new int[length];
            for (int document = 0; document < multiplicities.length; document++) {
                if (multiplicities[document] > 1) {
                    int from = documentStarts[document];
                    int to = documentStarts[document + 1];
                    Arrays.fill(multiplicityAt, from, to, multiplicities[document]);
                    for (int position = from; position < to; position++) {
                        repeated[position >>> 6] |= 1L << position;
                    }
                }
            }
            return new MultiplicitySums(
                    sums(order.order(), repeated, multiplicityAt), sums(order.ends(), repeated, multiplicityAt));
        }

        private static long[] sums(int[] positions, long[] repeated, int[] multiplicityAt) {
            long[] sums = new long[SegmentHeader.sums(positions.length)];
            long sum = 0;
            for (int i = 0; i < positions.length; i++) {
                if (i % SegmentHeader.SUM_STRIDE == 0) {
                    sums[i / SegmentHeader.SUM_STRIDE] = sum;
                }
                int position = positions[i];
                sum += (repeated[position >>> 6] & (1L << position)) == 0 ? 1 : multiplicityAt[position];
            }
            if (positions.length % SegmentHeader.SUM_STRIDE == 0) {
                sums[sums.length - 1] = sum;
            }
            return sums;
        }
    }
}
