package io.tailrace.suffix.snapshot;

import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Path;

/** Maps segment files. */
public interface SegmentOpener {
    /** Checks every byte. */
    MappedSegment openVerified(Path file, SegmentIdentity expected) throws IOException;

    /** Checks header, lengths and footer of a file that was verified before. */
    MappedSegment reopen(Path file, SegmentIdentity expected) throws IOException;

    /** The product's segment format. */
    static SegmentOpener segments() {
        return new SegmentOpener() {
            @Override
            public MappedSegment openVerified(Path file, SegmentIdentity expected) throws IOException {
                return mapped(Segment.openVerified(file, expected));
            }

            @Override
            public MappedSegment reopen(Path file, SegmentIdentity expected) throws IOException {
                return mapped(Segment.reopen(file, expected));
            }

            private MappedSegment mapped(Segment segment) {
                return new MappedSegment(segment, segment::close);
            }
        };
    }
}
