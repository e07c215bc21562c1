package io.tailrace.suffix.segment;

import java.io.IOException;
import java.nio.file.Path;

/** A file that is not the segment (or sidecar) it should be. Names file, offset, expected, got and what to do. */
public final class CorruptSegmentException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Whether the file is intact, and only belongs elsewhere. */
    private final boolean foreign;

    /**
     * A refusal.
     *
     * @param message names file, rule, expected, got and what to do
     */
    public CorruptSegmentException(String message) {
        this(message, false);
    }

    private CorruptSegmentException(String message, boolean foreign) {
        super(message);
        this.foreign = foreign;
    }

    /** {@return whether the file is intact, and only belongs to another lane or tokenizer: no other copy of it would be better} */
    public boolean isForeign() {
        return foreign;
    }

    /**
     * A file that is intact but is asked for as what it is not.
     *
     * @param file where it is, or its name
     * @param expected whose it should be
     * @param got whose it is
     * @return the refusal
     */
    public static CorruptSegmentException foreign(String file, SegmentIdentity expected, SegmentIdentity got) {
        return new CorruptSegmentException(
                String.format(
                        "%s: identity at offset 0: expected %s, got %s; the file is intact but belongs elsewhere: check the lane's"
                                + " manifest and the worker's model and scope",
                        file, expected, got),
                true);
    }

    /**
     * A mapped file that its disk cannot read, or that was changed after it had been checked.
     *
     * @param file where it is
     * @param cause what the read ended with
     * @return the refusal
     */
    public static CorruptSegmentException unreadable(Object file, Throwable cause) {
        CorruptSegmentException unreadable = new CorruptSegmentException(
                "%s: what this disk gives of it is not what was written; do not use this file: fetch it again from the store"
                        .formatted(file));
        unreadable.initCause(cause);
        return unreadable;
    }

    static CorruptSegmentException at(Path file, long offset, String what, Object expected, Object got) {
        return new CorruptSegmentException(String.format(
                "%s: %s at offset %d: expected %s, got %s; do not use this file: fetch it again from the store, and if the"
                        + " store's copy is refused too, write it anew from its generations or merge again",
                file, what, offset, expected, got));
    }
}
