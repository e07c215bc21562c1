package io.tailrace.agent.protocol;

/** An engine that is not served, with the words that it is told: what is wrong, what was expected, what to do. */
public final class RefusedEngineException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;

    public RefusedEngineException(Refusal refusal, String message) {
        super(message);
        this.refusal = refusal;
    }

    /** A frame that breaks a rule of the protocol's page. */
    public static RefusedEngineException broken(String rule) {
        return new RefusedEngineException(
                Refusal.BROKEN_FRAME, rule + "; docs/ENGINE_PROTOCOL.md says what a frame must be");
    }

    public Refusal refusal() {
        return refusal;
    }

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
}
