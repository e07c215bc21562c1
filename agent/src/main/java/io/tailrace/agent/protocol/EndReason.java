package io.tailrace.agent.protocol;

/** Why a request has ended. */
public enum EndReason {
    STOP,
    LENGTH,
    ABORTED,
    OTHER;

    /** By the code in a frame, 1 to 4. */
    static EndReason of(int code) {
        return values()[code - 1];
    }
}
