package io.tailrace.worker.engine;

/** Why an answer ended. */
public enum FinishReason {
    /** An end token or a stop string. */
    STOP,
    /** As many tokens as were asked for, or as the context holds. */
    LENGTH,
    /** Nobody waits for it any more. */
    CANCELLED
}
