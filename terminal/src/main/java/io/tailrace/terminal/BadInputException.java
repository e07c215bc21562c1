package io.tailrace.terminal;

/** Arguments or input that no command can work with. The message says what is wrong, where, and what to do. */
public class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadInputException(String message) {
        super(message);
    }

    public BadInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
