package io.tailrace.tap.answer;

/** A body is not what it should be. The message never repeats what it says. */
public final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message) {
        super(message, null, false, false);
    }
}
