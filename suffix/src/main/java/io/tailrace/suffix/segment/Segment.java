package io.tailrace.suffix.segment;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PatternIndex;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.SignaturePostings;
import io.tailrace.suffix.SignedAnswers;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.suffix.order.CoLexSearch;
import io.tailrace.suffix.order.HiddenEntries;
import io.tailrace.suffix.order.HiddenTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A mapped, immutable segment file.
 *
 * <p>Safe for any number of threads; nothing is kept between calls, and {@link #nearest} allocates nothing. A search costs
 * one binary search within the last token's interval and K steps outwards: O(log n + K) places of the text are read. The
 * memory is the file's pages.
 *
 * <p>A file that was damaged after it was verified ends a call in an {@link UncheckedIOException} that names the file; it
 * never gives a position outside the text.
 */
public final class Segment implements SignedAnswers, PatternIndex, AutoCloseable {
    private final MappedFile file;
    private final SegmentHeader header;
    private final IntBuffer text;
    private final IntBuffer order;
    private final IntBuffer ends;
    private final IntBuffer lastTokens;
    private final IntBuffer documentStarts;
    private final LongBuffer times;
    private final IntBuffer multiplicities;
    private final IntBuffer tails;
    private final CharBuffer signatures;
    private final LongBuffer copies;
    private final HiddenTokens hiddenTokens;
    private final LongBuffer orderSums;
    private final LongBuffer endSums;
    private final int textLength;
    private final int tableShift;
    private volatile String sha256;
    private final PostingsRoom room;
    private volatile SaidTokens said;
    /** {@link SignaturePostings#EMPTY} until they are made, and after the segment was closed. */
    private volatile SignaturePostings postings = SignaturePostings.EMPTY;

    private Segment(MappedFile file, SegmentHeader header, PostingsRoom room, String sha256) {
        this.file = file;
        this.header = header;
        this.room = room;
        this.sha256 = sha256;
        this.text = ints(Section.TEXT);
        this.order = ints(Section.ORDER);
        this.ends = ints(Section.ENDS);
        this.lastTokens = ints(Section.LAST_TOKENS);
        this.documentStarts = ints(Section.DOCUMENT_STARTS);
        this.times = longs(Section.TIMES);
        this.multiplicities = ints(Section.MULTIPLICITIES);
        this.tails = ints(Section.TAILS);
        this.signatures = slice(Section.SIGNATURES).asCharBuffer();
        this.copies = longs(Section.COPIES);
        this.orderSums = longs(Section.ORDER_SUMS);
        this.endSums = longs(Section.END_SUMS);
        this.textLength = header.textLength();
        this.tableShift = header.tableShift();
        this.hiddenTokens = HiddenTokens.of(text, ints(Section.HIDDEN));
    }

    /**
     * Opens and checks every byte: for a file that was just written or downloaded.
     *
     * @param file where it is
     * @param expected whose it must be
     * @return the segment, to be closed
     * @throws CorruptSegmentException if the file is not the intact segment of the expected lane and tokenizer
     */
    public static Segment openVerified(Path file, SegmentIdentity expected) throws IOException {
        return open(file, expected, PostingsRoom.ofProcess(), true);
    }

    /**
     * Opens a file that was verified before: header, lengths, lane, tokenizer and footer are checked, in O(1).
     *
     * @param file where it is
     * @param expected whose it must be
     * @return the segment, to be closed
     * @throws CorruptSegmentException if they are not those of a segment of the expected lane and tokenizer
     */
    public static Segment reopen(Path file, SegmentIdentity expected) throws IOException {
        return reopen(file, expected, PostingsRoom.ofProcess());
    }

    /** The same with other room for postings than the process has. */
    static Segment reopen(Path file, SegmentIdentity expected, PostingsRoom room) throws IOException {
        return open(file, expected, room, false);
    }

    /**
     * Opens and checks every byte of a segment of whatever lane: for looking into files.
     *
     * @param file where it is
     * @return the segment, to be closed
     * @throws IOException if the file cannot be read or written
     */
    public static Segment inspect(Path file) throws IOException {
        return open(file, null, PostingsRoom.ofProcess(), true);
    }

    /**
     * Whose a file is, by its header, which is checked; in O(1).
     *
     * @param path where it is
     * @return lane, vocabulary and tokenizer
     * @throws IOException if the file cannot be read or written
     */
    public static SegmentIdentity identity(Path path) throws IOException {
        MappedFile file = MappedFile.open(path);
        try {
            return SegmentFormat.decode(path, file.bytes()).identity();
        } finally {
            file.close();
        }
    }

    private static Segment open(Path path, SegmentIdentity expected, PostingsRoom room, boolean everyByte)
            throws IOException {
        MappedFile file = MappedFile.open(path);
        boolean opened = false;
        try {
            SegmentHeader header = SegmentFormat.decode(path, file.bytes());
            SegmentVerifier verifier = new SegmentVerifier(path, file.bytes(), header);
            if (expected != null) {
                verifier.checkIdentity(expected);
            }
            Segment segment = new Segment(file, header, room, everyByte ? verifier.checkEveryByte() : null);
            MappedReads.await();
            opened = true;
            return segment;
        } catch (IndexOutOfBoundsException e) {
            throw CorruptSegmentException.at(path, 0, "hidden positions", "inside the text", e.getMessage());
        } catch (InternalError e) {
            throw CorruptSegmentException.unreadable(path, e);
        } finally {
            if (!opened) {
                file.close();
            }
        }
    }

    /** {@return whose it is} */
    public SegmentIdentity identity() {
        return header.identity();
    }

    /**
     * The file in numbers. After a {@link #reopen} the first call reads the whole file, for its SHA-256.
     *
     * @return figures of the file
     */
    public SegmentSummary summary() {
        if (sha256 == null) {
            sha256 = SegmentVerifier.sha256(file.bytes());
        }
        return new SegmentSummary(
                sha256,
                header.fileBytes(),
                header.documents(),
                header.textLength() - header.documents(),
                header.liveTokens(),
                header.newestCompletedAtMillis());
    }

    /**
     * All bytes of the file, read-only; valid until it is closed.
     *
     * @return a view of the mapped file
     */
    public ByteBuffer bytes() {
        return file.bytes().asReadOnlyBuffer();
    }

    /** {@return how many distinct documents it holds} */
    public int documents() {
        return header.documents();
    }

    /**
     * An answer, with its prompt's tail.
     *
     * @param document its number, from 0
     * @return a copy
     */
    public RememberedAnswer answer(int document) {
        return guarded(() -> {
            int start = documentStarts.get(document);
            return new RememberedAnswer(
                    tokens(start, start + tail(document)),
                    tokens(start + tail(document), documentStarts.get(document + 1) - 1),
                    copied(document),
                    signature(document));
        });
    }

    private int[] tokens(int from, int to) {
        int[] tokens = new int[to - Objects.checkFromToIndex(from, to, textLength)];
        text.get(from, tokens);
        return tokens;
    }

    @Override
    public int tail(int document) {
        int tail = header.tails() ? tails.get(document) : 0;
        if (tail < 0 || tail > RememberedAnswer.TAIL_TOKENS_MAX) {
            throw new UncheckedIOException(CorruptSegmentException.at(
                    file.path(),
                    header.offset(Section.TAILS),
                    "lengths of tails",
                    "0 to " + RememberedAnswer.TAIL_TOKENS_MAX,
                    tail));
        }
        return tail;
    }

    /** Which tokens of a document's newest generation stood in its context before; null where that is not known. */
    BitSet copied(int document) {
        int end = documentStarts.get(document + 1) - 1;
        if (!isCopied(end)) {
            return null;
        }
        int answer = documentStarts.get(document) + tail(document);
        return BitRuns.read(copies, answer, end - Objects.checkFromToIndex(answer, end, textLength));
    }

    /** Of a terminator: whether it is known for its document. */
    private boolean isCopied(int position) {
        return header.copies() && (copies.get(position >>> 6) & 1L << position) != 0;
    }

    /** The signature of the prompt of a document's newest generation. */
    PromptSignature signature(int document) {
        if (!header.signatures()) {
            return PromptSignature.NONE;
        }
        char[] hashes = new char[PromptSignature.HASHES_MAX];
        signatures.get(document * PromptSignature.HASHES_MAX, hashes);
        int size = 0;
        while (size < hashes.length && hashes[size] != PromptSignature.NO_HASH) {
            size++;
        }
        try {
            return PromptSignature.ofHashes(Arrays.copyOf(hashes, size));
        } catch (IllegalArgumentException e) {
            throw new UncheckedIOException(CorruptSegmentException.at(
                    file.path(), header.offset(Section.SIGNATURES), "signatures", "ascending hashes", e.getMessage()));
        }
    }

    @Override
    public char signatureHash(int document, int number) {
        return header.signatures() && number < PromptSignature.HASHES_MAX
                ? signatures.get(document * PromptSignature.HASHES_MAX + number)
                : PromptSignature.NO_HASH;
    }

    @Override
    public List<? extends SignedAnswers> signed() {
        return postings == SignaturePostings.EMPTY ? List.of() : List.of(this);
    }

    /** Up to 256 bytes of heap an answer and 256 KiB, in a segment of few answers up to 900 an answer; none where there is no room for that. */
    @Override
    public synchronized void makePostings() {
        long bytesMax = SignaturePostings.bytesMax(documents());
        if (postings != SignaturePostings.EMPTY || !header.signatures() || !room.take(bytesMax)) {
            return;
        }
        try {
            postings = guarded(() -> SignaturePostings.of(documents(), this::signatureHash));
        } finally {
            room.giveBack(bytesMax - postingsBytes());
        }
    }

    @Override
    public SignaturePostings postings() {
        return postings;
    }

    /** Of the room. */
    private long postingsBytes() {
        return postings == SignaturePostings.EMPTY ? 0 : postings.bytes();
    }

    /** The document's text, tail and answer, where it is, for merging. */
    IntBuffer documentView(int document) {
        int start = documentStarts.get(document);
        int end = documentStarts.get(document + 1) - 1;
        return text.slice(start, end - Objects.checkFromToIndex(start, end, textLength));
    }

    /** The order, with the places inside prompts' tails, for merging. */
    IntBuffer wholeOrder() {
        return hidden().whole(order);
    }

    private HiddenEntries hidden() {
        return new HiddenEntries(copy(ints(Section.HIDDEN)), copy(ints(Section.HIDDEN_INDEXES)));
    }

    private static int[] copy(IntBuffer section) {
        int[] values = new int[section.limit()];
        section.get(0, values);
        return values;
    }

    @Override
    public int documentStart(int document) {
        return documentStarts.get(document);
    }

    int textLength() {
        return textLength;
    }

    /** Stored tokens of a document: of tail and answer. */
    int documentLength(int document) {
        return documentStarts.get(document + 1) - 1 - documentStarts.get(document);
    }

    /**
     * Tokens of an answer.
     *
     * @param document its number, from 0
     * @return how many
     */
    public int answerLength(int document) {
        return documentLength(document) - tail(document);
    }

    /**
     * How many generations a document stands for.
     *
     * @param document its number, from 0
     * @return at least 1
     */
    public int multiplicity(int document) {
        return header.repeats() ? multiplicities.get(document) : 1;
    }

    @Override
    public int copies(int position) {
        return header.repeats() ? multiplicities.get(documentAt(position)) : 1;
    }

    /**
     * When the newest generation of a document was completed.
     *
     * @param document its number, from 0
     * @return epoch milliseconds
     */
    public long completedAtMillis(int document) {
        return times.get(document);
    }

    /**
     * The document that holds a text position.
     *
     * @param position where in the text
     * @return its number
     */
    public int documentAt(int position) {
        int low = 0;
        int high = header.documents() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (documentStarts.get(middle) <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /**
     * How often the pattern occurs, each document counted with its multiplicity. The empty pattern occurs at every token.
     *
     * @param pattern token ids
     * @return how often
     */
    public long count(int[] pattern) {
        requireTokens(pattern);
        return guarded(
                () -> weight(orderInterval(pattern), order, orderSums) + weight(endsInterval(pattern), ends, endSums));
    }

    /**
     * What follows the pattern, and how often; reads every occurrence.
     *
     * @param pattern token ids
     * @return tokens and counts
     */
    public NextTokens nextTokenCounts(int[] pattern) {
        requireTokens(pattern);
        return guarded(() -> {
            Map<Integer, Long> counts = new TreeMap<>();
            int[] going = orderInterval(pattern);
            for (int i = going[0]; i < going[1]; i++) {
                int position = order.get(i);
                counts.merge(text.get(position + 1), (long) copies(position), Long::sum);
            }
            return new NextTokens(
                    counts.keySet().stream().mapToInt(Integer::intValue).toArray(),
                    counts.values().stream().mapToLong(Long::longValue).toArray(),
                    weight(endsInterval(pattern), ends, endSums));
        });
    }

    @Override
    public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
        if (length == 0) {
            return 0;
        }
        int size = into.size();
        try {
            int last = context[length - 1];
            int from = SegmentContent.LastTokenTable.start(lastTokens, tableShift, last, 0);
            int to = SegmentContent.LastTokenTable.start(lastTokens, tableShift, last, 1);
            return CoLexSearch.nearest(text, order, from, to, context, length, countMax, source, this, into);
        } catch (IndexOutOfBoundsException e) {
            into.truncate(size);
            throw damaged(e);
        }
    }

    @Override
    public Object content() {
        return this;
    }

    @Override
    public boolean hides(int token) {
        return hiddenTokens.contains(token);
    }

    @Override
    public int vocabularySize() {
        return header.identity().vocabularySize();
    }

    @Override
    public void count(TokenCounts counts) {
        if (said == null) {
            said = guarded(this::counted);
        }
        said.addTo(counts);
    }

    /** The answers' tokens but the last of each, after which nothing comes. */
    private SaidTokens counted() {
        TokenCounts counts = new TokenCounts();
        counts.addDocuments(documents());
        for (int document = 0; document < documents(); document++) {
            requireTokensOfVocabulary(documentStarts.get(document), documentStarts.get(document + 1) - 1);
            int end = documentStarts.get(document + 1) - 2;
            int known = isCopied(end + 1) ? 1 : 0;
            int answer = documentStarts.get(document) + tail(document);
            for (int position = answer; position < end; position++) {
                int copied = known == 1 && isCopied(position) ? 1 : 0;
                counts.add(text.get(position), 1, known, copied);
                if (position > answer) {
                    counts.addAfter(text.get(position - 1), known, copied);
                }
            }
        }
        return SaidTokens.of(counts);
    }

    private void requireTokensOfVocabulary(int from, int to) {
        for (int position = from; position < to; position++) {
            int token = text.get(position);
            if (token < 0 || token >= vocabularySize()) {
                throw new UncheckedIOException(CorruptSegmentException.at(
                        file.path(), header.offset(Section.TEXT), "tokens", "0 to " + (vocabularySize() - 1), token));
            }
        }
    }

    @Override
    public void occurrences(int[] context, int length, int countMax, int source, Occurrences into) {
        nearest(context, length, countMax, source, into);
    }

    @Override
    public long endings(int[] context, int length, int patternLength) {
        try {
            int from = CoLexSearch.bound(text, ends, 0, ends.limit(), context, length, patternLength, false);
            int to = CoLexSearch.bound(text, ends, from, ends.limit(), context, length, patternLength, true);
            return weight(from, to, ends, endSums);
        } catch (IndexOutOfBoundsException e) {
            throw damaged(e);
        }
    }

    /**
     * Checks that the order is sorted and complete, which no checksum tells: linear in the segment, 4 bytes a token.
     *
     * @throws CorruptSegmentException if whoever wrote the file sorted it wrongly
     */
    public void checkInvariants() throws CorruptSegmentException {
        try {
            new SegmentVerifier.OrderChecker(file.path(), header, text, wholeOrder()).check(ends, order, lastTokens);
        } catch (IndexOutOfBoundsException e) {
            throw outside(e);
        }
    }

    @Override
    public int token(int position) {
        return position >= 0 && position < textLength ? text.get(position) : TERMINATOR;
    }

    /** Unmaps the file. Whoever closes it must know that nobody reads it any more. */
    @Override
    public void close() {
        synchronized (this) {
            room.giveBack(postingsBytes());
            postings = SignaturePostings.EMPTY;
        }
        file.close();
    }

    /** Where the pattern's end positions that go on stand in the order: first one, and first one behind them. */
    private int[] orderInterval(int[] pattern) {
        if (pattern.length == 0) {
            return new int[] {0, order.limit()};
        }
        int last = pattern[pattern.length - 1];
        int from = SegmentContent.LastTokenTable.start(lastTokens, tableShift, last, 0);
        return interval(pattern, order, from, SegmentContent.LastTokenTable.start(lastTokens, tableShift, last, 1));
    }

    private int[] endsInterval(int[] pattern) {
        return interval(pattern, ends, 0, ends.limit());
    }

    private int[] interval(int[] pattern, IntBuffer positions, int from, int to) {
        int first = CoLexSearch.bound(text, positions, from, to, pattern, pattern.length, false);
        return new int[] {first, CoLexSearch.bound(text, positions, first, to, pattern, pattern.length, true)};
    }

    private static void requireTokens(int[] pattern) {
        for (int token : pattern) {
            if (token < 0) {
                throw new IllegalArgumentException("pattern tokens must be >= 0, got " + token);
            }
        }
    }

    private long weight(int[] interval, IntBuffer positions, LongBuffer sums) {
        return weight(interval[0], interval[1], positions, sums);
    }

    private long weight(int from, int to, IntBuffer positions, LongBuffer sums) {
        if (!header.repeats()) {
            return (long) to - from;
        }
        return weightBefore(to, positions, sums) - weightBefore(from, positions, sums);
    }

    private long weightBefore(int index, IntBuffer positions, LongBuffer sums) {
        int block = index / SegmentHeader.SUM_STRIDE;
        long weight = sums.get(block);
        for (int i = block * SegmentHeader.SUM_STRIDE; i < index; i++) {
            weight += copies(positions.get(i));
        }
        return weight;
    }

    private <T> T guarded(Supplier<T> read) {
        try {
            return read.get();
        } catch (IndexOutOfBoundsException e) {
            throw damaged(e);
        }
    }

    private UncheckedIOException damaged(IndexOutOfBoundsException e) {
        return new UncheckedIOException(outside(e));
    }

    private CorruptSegmentException outside(IndexOutOfBoundsException e) {
        return CorruptSegmentException.at(
                file.path(), header.offset(Section.ORDER), "positions", "inside the text", e.getMessage());
    }

    private IntBuffer ints(Section section) {
        return slice(section).asIntBuffer();
    }

    private LongBuffer longs(Section section) {
        return slice(section).asLongBuffer();
    }

    private ByteBuffer slice(Section section) {
        return file.slice(header.offset(section), header.sectionBytes(section));
    }

    /**
     * What follows a pattern, and how often; each document counted with its multiplicity.
     *
     * @param tokens distinct next tokens, ascending
     * @param counts how often each follows
     * @param ends how often a document ends after the pattern
     */
    public record NextTokens(int[] tokens, long[] counts, long ends) {}
}
