package io.tailrace.suffix.segment;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.TokenCounts;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;

/**
 * The documents of a mapped segment: where each lies in the text, and what is known of it. Safe for any number of threads; nothing is kept between
 * calls. In a damaged file a call ends in an IndexOutOfBoundsException, or in an UncheckedIOException that names the file.
 */
final class SegmentDocuments {
    private final MappedFile file;
    private final SegmentHeader header;
    private final IntBuffer text;
    private final IntBuffer starts;
    private final LongBuffer times;
    private final IntBuffer multiplicities;
    private final IntBuffer tails;
    private final CharBuffer signatures;
    private final LongBuffer copies;

    SegmentDocuments(MappedFile file, SegmentHeader header, IntBuffer text) {
        this.file = file;
        this.header = header;
        this.text = text;
        this.starts = slice(Section.DOCUMENT_STARTS).asIntBuffer();
        this.times = slice(Section.TIMES).asLongBuffer();
        this.multiplicities = slice(Section.MULTIPLICITIES).asIntBuffer();
        this.tails = slice(Section.TAILS).asIntBuffer();
        this.signatures = slice(Section.SIGNATURES).asCharBuffer();
        this.copies = slice(Section.COPIES).asLongBuffer();
    }

    private ByteBuffer slice(Section section) {
        return file.slice(header.offset(section), header.sectionBytes(section));
    }

    int count() {
        return header.documents();
    }

    int start(int document) {
        return starts.get(document);
    }

    /** Where its terminator stands. */
    private int end(int document) {
        return starts.get(document + 1) - 1;
    }

    /** Stored tokens: of tail and answer. */
    int length(int document) {
        return end(document) - start(document);
    }

    int answerLength(int document) {
        return length(document) - tail(document);
    }

    /** Tokens of its prompt that stand before its answer. */
    int tail(int document) {
        int tail = header.tails() ? tails.get(document) : 0;
        if (tail < 0 || tail > RememberedAnswer.TAIL_TOKENS_MAX) {
            throw damaged(Section.TAILS, "lengths of tails", "0 to " + RememberedAnswer.TAIL_TOKENS_MAX, tail);
        }
        return tail;
    }

    RememberedAnswer answer(int document) {
        int answer = start(document) + tail(document);
        return new RememberedAnswer(
                tokens(start(document), answer), tokens(answer, end(document)), copied(document), signature(document));
    }

    private int[] tokens(int from, int to) {
        int[] tokens = new int[to - Objects.checkFromToIndex(from, to, header.textLength())];
        text.get(from, tokens);
        return tokens;
    }

    /** The text, tail and answer, where it is. */
    IntBuffer view(int document) {
        int start = start(document);
        int end = end(document);
        return text.slice(start, end - Objects.checkFromToIndex(start, end, header.textLength()));
    }

    /** Which tokens of its newest generation stood in its context before; null where that is not known. */
    BitSet copied(int document) {
        int end = end(document);
        if (!isCopied(end)) {
            return null;
        }
        int answer = start(document) + tail(document);
        return BitRuns.read(copies, answer, end - Objects.checkFromToIndex(answer, end, header.textLength()));
    }

    /** Of a terminator: whether it is known for its document. */
    private boolean isCopied(int position) {
        return header.copies() && (copies.get(position >>> 6) & 1L << position) != 0;
    }

    /** The signature of the prompt of its newest generation. */
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
            throw damaged(Section.SIGNATURES, "signatures", "ascending hashes", e.getMessage());
        }
    }

    char signatureHash(int document, int number) {
        return header.signatures() && number < PromptSignature.HASHES_MAX
                ? signatures.get(document * PromptSignature.HASHES_MAX + number)
                : PromptSignature.NO_HASH;
    }

    /** How many generations it stands for. */
    int multiplicity(int document) {
        return header.repeats() ? multiplicities.get(document) : 1;
    }

    /** How many generations the text at a position stands for. */
    int copies(int position) {
        return header.repeats() ? multiplicities.get(at(position)) : 1;
    }

    long completedAtMillis(int document) {
        return times.get(document);
    }

    /** That which holds a text position. */
    int at(int position) {
        int low = 0;
        int high = count() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts.get(middle) <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The answers' tokens but the last of each, after which nothing comes. */
    SaidTokens said() {
        TokenCounts counts = new TokenCounts();
        counts.addDocuments(count());
        for (int document = 0; document < count(); document++) {
            requireTokensOfVocabulary(start(document), end(document));
            int last = end(document) - 1;
            int known = isCopied(last + 1) ? 1 : 0;
            int answer = start(document) + tail(document);
            for (int position = answer; position < last; position++) {
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
        int size = header.identity().vocabularySize();
        for (int position = from; position < to; position++) {
            int token = text.get(position);
            if (token < 0 || token >= size) {
                throw damaged(Section.TEXT, "tokens", "0 to " + (size - 1), token);
            }
        }
    }

    private UncheckedIOException damaged(Section section, String what, String expected, Object got) {
        return new UncheckedIOException(
                CorruptSegmentException.at(file.path(), header.offset(section), what, expected, got));
    }
}
