package io.tailrace.schemas;

/** Bytes that are no record of the expected kind. */
public final class UndecodableRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What kind of wrong it is. */
    public enum Kind {
        /** The bytes do not begin with the single-object header, end too early, or hold impossible values. */
        MALFORMED,
        /** The header names a schema that this version of Tailrace does not know. */
        UNKNOWN_SCHEMA
    }

    private final Kind kind;

    UndecodableRecordException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
