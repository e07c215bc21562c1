package io.tailrace.suffix.snapshot;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.MappedReads;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Maps segment files. */
public interface SegmentOpener {
    /**
     * Checks a file that has just come: every byte of it, or for {@link #ownSegments} what cannot be wrong if the SHA-256 is right.
     *
     * @return SHA-256 of the whole file, which comes out of the check
     * @throws CorruptSegmentException if it is not the intact segment of the expected lane and tokenizer
     */
    String verify(Path file, SegmentIdentity expected) throws IOException;

    /**
     * Checks header, lengths and footer of a file that was verified before, and reads what a snapshot takes from the whole of it: once a mapping.
     *
     * @throws CorruptSegmentException if that shows that it is not what it was any more, or not of the expected lane and tokenizer
     */
    Mapped reopen(Path file, SegmentIdentity expected) throws IOException;

    /** Whose a file is, by its header. */
    SegmentIdentity identity(Path file) throws IOException;

    /** The product's segment format. */
    static SegmentOpener segments() {
        return opener(Segment::openVerified);
    }

    /**
     * The same of files that the caller's own program wrote: it read back and checked every byte before it named a file by its SHA-256, so as
     * long as that is the file's, nothing has changed since.
     */
    static SegmentOpener ownSegments() {
        return opener(Segment::reopen);
    }

    /** How a file that has just come is opened, whose SHA-256 is taken then. */
    @FunctionalInterface
    interface FirstOpening {
        Segment open(Path file, SegmentIdentity expected) throws IOException;
    }

    /** Counts what it says, and posts its signatures if there is room for that: both stay with it. */
    private static void readWhole(Path file, Segment segment) throws CorruptSegmentException {
        try {
            segment.count(new TokenCounts());
            segment.makePostings();
            MappedReads.await();
        } catch (UncheckedIOException e) {
            throw e.getCause() instanceof CorruptSegmentException damage
                    ? damage
                    : CorruptSegmentException.unreadable(file, e);
        } catch (InternalError e) {
            throw CorruptSegmentException.unreadable(file, e);
        }
    }

    private static SegmentOpener opener(FirstOpening first) {
        return new SegmentOpener() {
            @Override
            public String verify(Path file, SegmentIdentity expected) throws IOException {
                try (Segment segment = first.open(file, expected)) {
                    return segment.summary().sha256();
                }
            }

            @Override
            public Mapped reopen(Path file, SegmentIdentity expected) throws IOException {
                Segment segment = Segment.reopen(file, expected);
                boolean whole = false;
                try {
                    readWhole(file, segment);
                    whole = true;
                    return new Mapped(segment, segment::close);
                } finally {
                    if (!whole) {
                        segment.close();
                    }
                }
            }

            @Override
            public SegmentIdentity identity(Path file) throws IOException {
                return Segment.identity(file);
            }
        };
    }

    /** A segment that is mapped: what is searched, and what unmaps it. */
    record Mapped(OccurrenceIndex index, Runnable unmap) {}
}
