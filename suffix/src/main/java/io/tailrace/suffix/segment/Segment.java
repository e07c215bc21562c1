package io.tailrace.suffix.segment;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import java.io.IOException;
import java.nio.file.Path;

/** A mapped, immutable segment file. */
public final class Segment implements TokenText, OccurrenceIndex, AutoCloseable {
    private Segment() {}

    /** Opens and checks every byte: for a file that was just written or downloaded. */
    public static Segment openVerified(Path file, SegmentIdentity expected) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Opens a file that was verified before: header, lengths, lane, tokenizer and footer are checked, in O(1). */
    public static Segment reopen(Path file, SegmentIdentity expected) throws IOException {
        throw new UnsupportedOperationException();
    }

    public SegmentIdentity identity() {
        throw new UnsupportedOperationException();
    }

    public SegmentSummary summary() {
        throw new UnsupportedOperationException();
    }

    public int documents() {
        throw new UnsupportedOperationException();
    }

    public int[] documentTokens(int document) {
        throw new UnsupportedOperationException();
    }

    public int multiplicity(int document) {
        throw new UnsupportedOperationException();
    }

    public long completedAtMillis(int document) {
        throw new UnsupportedOperationException();
    }

    /** How often the pattern occurs, each document counted with its multiplicity. */
    public long count(int[] pattern) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int token(int position) {
        throw new UnsupportedOperationException();
    }

    /** Unmaps the file. Whoever closes it must know that nobody reads it any more. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
