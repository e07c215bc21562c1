package io.tailrace.suffix.snapshot;

import java.io.IOException;
import java.nio.file.Path;

/** Where segment files come from. Its text is the place's name in messages. */
@FunctionalInterface
public interface SegmentSource {
    /** Copies a file here, over one that may be there; what comes is checked by the caller. */
    void download(SegmentFile file, Path target) throws IOException;
}
