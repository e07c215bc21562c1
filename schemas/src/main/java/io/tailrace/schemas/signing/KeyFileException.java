package io.tailrace.schemas.signing;

/** A file is no key file, cannot be read, or does not go with another; the message says which, why, and what to do. */
public final class KeyFileException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    KeyFileException(String message) {
        super(message);
    }

    KeyFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
