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
    static RefusedEngineException broken(String rule) {
        return new RefusedEngineException(
                Refusal.BROKEN_FRAME, rule + "; docs/ENGINE_PROTOCOL.md says what a frame must be");
    }

    public Refusal refusal() {
        return refusal;
    }
}
