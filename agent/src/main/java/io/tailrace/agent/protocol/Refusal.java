package io.tailrace.agent.protocol;

/** Why an engine is not served; its code stands in REFUSED. */
public enum Refusal {
    VERSION(1),
    MODEL(2),
    TOO_MANY_ENGINES(3),
    BROKEN_FRAME(4),
    STOPPING(5);

    private final int code;

    Refusal(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
