package io.tailrace.agent.protocol;

import io.tailrace.schemas.Finish;

/** Why a request has ended; its code stands in END. */
public enum EndReason {
    STOP(1, Finish.STOP),
    LENGTH(2, Finish.LENGTH),
    ABORTED(3, Finish.ABORTED),
    OTHER(4, Finish.UNKNOWN);

    private final int code;
    private final Finish finish;

    EndReason(int code, Finish finish) {
        this.code = code;
        this.finish = finish;
    }

    /** As outcomes say it. */
    public Finish finish() {
        return finish;
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
