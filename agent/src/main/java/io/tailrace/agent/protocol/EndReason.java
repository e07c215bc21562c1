package io.tailrace.agent.protocol;

/** Why a request has ended; its code stands in END. */
public enum EndReason {
    STOP(1),
    LENGTH(2),
    ABORTED(3),
    OTHER(4);

    private final int code;

    EndReason(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** By its code. */
    static EndReason of(int code) throws RefusedEngineException {
        for (EndReason reason : values()) {
            if (reason.code == code) {
                return reason;
            }
        }
        throw RefusedEngineException.broken("reason must be 1 to 4, got %d".formatted(code));
    }
}
