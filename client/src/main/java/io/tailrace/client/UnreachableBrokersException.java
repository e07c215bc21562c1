package io.tailrace.client;

/** No broker answers; the message says where they were looked for, and what to look at. */
public final class UnreachableBrokersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreachableBrokersException(String message) {
        super(message);
    }

    UnreachableBrokersException(String message, Throwable cause) {
        super(message, cause);
    }
}
