package io.tailrace.suffix.segment;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PatternIndex;
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
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.List;
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
    private final SegmentDocuments documents;
    private final PatternCounts patterns;
    private final HiddenTokens hiddenTokens;
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
        this.documents = new SegmentDocuments(file, header, text);
        this.textLength = header.textLength();
        this.tableShift = header.tableShift();
        this.hiddenTokens = HiddenTokens.of(text, ints(Section.HIDDEN));
        this.patterns = new PatternCounts(
                text,
                new PatternCounts.Order(order, longs(Section.ORDER_SUMS)),
                new PatternCounts.Order(ends, longs(Section.END_SUMS)),
                header.repeats() ? documents : null);
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
        return guarded(() -> documents.answer(document));
    }

    @Override
    public int tail(int document) {
        return documents.tail(document);
    }

    /** The documents, for merging. */
    SegmentDocuments allDocuments() {
        return documents;
    }

    @Override
    public char signatureHash(int document, int number) {
        return documents.signatureHash(document, number);
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
        return documents.start(document);
    }

    int textLength() {
        return textLength;
    }

    /**
     * Tokens of an answer.
     *
     * @param document its number, from 0
     * @return how many
     */
    public int answerLength(int document) {
        return documents.answerLength(document);
    }

    /**
     * How many generations a document stands for.
     *
     * @param document its number, from 0
     * @return at least 1
     */
    public int multiplicity(int document) {
        return documents.multiplicity(document);
    }

    @Override
    public int copies(int position) {
        return documents.copies(position);
    }

    /**
     * When the newest generation of a document was completed.
     *
     * @param document its number, from 0
     * @return epoch milliseconds
     */
    public long completedAtMillis(int document) {
        return documents.completedAtMillis(document);
    }

    /**
     * The document that holds a text position.
     *
     * @param position where in the text
     * @return its number
     */
    public int documentAt(int position) {
        return documents.at(position);
    }

    /**
     * How often the pattern occurs, each document counted with its multiplicity. The empty pattern occurs at every token.
     *
     * @param pattern token ids
     * @return how often
     */
    public long count(int[] pattern) {
        requireTokens(pattern);
        return guarded(() -> patterns.count(pattern, lastTokenStart(pattern, 0), lastTokenStart(pattern, 1)));
    }

    /**
     * What follows the pattern, and how often; reads every occurrence.
     *
     * @param pattern token ids
     * @return tokens and counts
     */
    public NextTokens nextTokenCounts(int[] pattern) {
        requireTokens(pattern);
        return guarded(() -> patterns.nextTokens(pattern, lastTokenStart(pattern, 0), lastTokenStart(pattern, 1)));
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
            said = guarded(documents::said);
        }
        said.addTo(counts);
    }

    @Override
    public void occurrences(int[] context, int length, int countMax, int source, Occurrences into) {
        nearest(context, length, countMax, source, into);
    }

    @Override
    public long endings(int[] context, int length, int patternLength) {
        try {
            return patterns.endings(context, length, patternLength);
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

    /** Where the places that bear the pattern's last token begin in the order, or, by one more, end. */
    private int lastTokenStart(int[] pattern, int more) {
        return pattern.length == 0
                ? more * order.limit()
                : SegmentContent.LastTokenTable.start(lastTokens, tableShift, pattern[pattern.length - 1], more);
    }

    private static void requireTokens(int[] pattern) {
        for (int token : pattern) {
            if (token < 0) {
                throw new IllegalArgumentException("pattern tokens must be >= 0, got " + token);
            }
        }
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
