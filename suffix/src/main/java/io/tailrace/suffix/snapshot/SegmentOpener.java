package io.tailrace.suffix.snapshot;

import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Path;

/** Maps segment files. */
public interface SegmentOpener {
    /**
     * Checks every byte, once.
     *
     * @return SHA-256 of the whole file, which comes out of the check
     * @throws CorruptSegmentException if it is not the intact segment of the expected lane and tokenizer
     */
    String verify(Path file, SegmentIdentity expected) throws IOException;

    /** Checks header, lengths and footer of a file that was verified before. */
    MappedSegment reopen(Path file, SegmentIdentity expected) throws IOException;

    /** Whose a file is, by its header. */
    SegmentIdentity identity(Path file) throws IOException;

    /** The product's segment format. */
    static SegmentOpener segments() {
        return new SegmentOpener() {
            @Override
            public String verify(Path file, SegmentIdentity expected) throws IOException {
                try (Segment segment = Segment.openVerified(file, expected)) {
                    return segment.summary().sha256();
                }
            }

            @Override
            public MappedSegment reopen(Path file, SegmentIdentity expected) throws IOException {
                Segment segment = Segment.reopen(file, expected);
                return new MappedSegment(segment, segment::close);
            }

            @Override
            public SegmentIdentity identity(Path file) throws IOException {
                return Segment.identity(file);
            }
        };
    }
}
