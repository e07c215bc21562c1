package io.tailrace.suffix.segment;

import java.io.IOException;
import java.nio.file.Path;

/** A file that is not the segment (or sidecar) it should be. Names file, offset, expected, got and what to do. */
public final class CorruptSegmentException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * A refusal.
     *
     * @param message names file, rule, expected, got and what to do
     */
    public CorruptSegmentException(String message) {
        super(message);
    }

    static CorruptSegmentException at(Path file, long offset, String what, Object expected, Object got) {
        return new CorruptSegmentException(String.format(
                "%s: %s at offset %d: expected %s, got %s; do not use this file: fetch it again from the store, and if the"
                        + " store's copy is refused too, rebuild it by merging or flushing again",
                file, what, offset, expected, got));
    }

    static CorruptSegmentException foreign(Path file, long offset, String what, Object expected, Object got) {
        return new CorruptSegmentException(String.format(
                "%s: %s at offset %d: expected %s, got %s; the file is intact but belongs elsewhere: check the lane's"
                        + " manifest and the worker's model and scope",
                file, what, offset, expected, got));
    }
}
