package io.tailrace.worker.engine;

/** A request that is not taken; the message says which limit it met and what to do. */
public final class RefusedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** What kind of refusal. */
    public enum Reason {
        /** The request breaks a limit and always will. */
        TOO_LONG,
        /** It is not understood. */
        INVALID,
        /** The queue is full: try again later. */
        QUEUE_FULL,
        /** The worker stops: try another one. */
        STOPPING
    }

    public RefusedRequestException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
