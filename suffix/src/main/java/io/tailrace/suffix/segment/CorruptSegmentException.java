package io.tailrace.suffix.segment;

import java.io.IOException;

/** A file that is not the segment (or sidecar) it should be. Names file, offset, expected, got and what to do. */
public final class CorruptSegmentException extends IOException {
    private static final long serialVersionUID = 1L;

    public CorruptSegmentException(String message) {
        super(message);
    }
}
