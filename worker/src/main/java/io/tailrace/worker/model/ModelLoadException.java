package io.tailrace.worker.model;

/** A model directory cannot be used; the message says which file, what was expected, what was found and what to do. */
public final class ModelLoadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ModelLoadException(String message) {
        super(message);
    }

    public ModelLoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
