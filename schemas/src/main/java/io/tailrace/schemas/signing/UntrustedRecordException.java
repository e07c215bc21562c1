package io.tailrace.schemas.signing;

/** A record that nobody trusted has signed as it is. Readers leave it out, as they do one that they cannot decode. */
public final class UntrustedRecordException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UntrustedRecordException(String message) {
        super(message);
    }
}
