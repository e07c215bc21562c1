package io.tailrace.agent.protocol;

/**
 * What an engine says of itself.
 *
 * @param vocabularySize token ids are below it
 * @param requestsMax most requests at once
 * @param draftTokensMax most draft tokens a request and step, 1 to 64
 * @param trees whether it verifies trees; false: lines only
 * @param engine its name in the fleet, the same after a restart
 * @param model as the fleet calls it
 * @param revision of the weights
 * @param tokenizerFingerprint names the tokenizer
 */
public record Hello(
        int vocabularySize,
        int requestsMax,
        int draftTokensMax,
        boolean trees,
        String engine,
        String model,
        String revision,
        String tokenizerFingerprint) {
    /** Of an engine's name, as long as the fleet takes it. */
    public static final int NAME_BYTES_MAX = 200;

    /** The same of an engine that goes by another name. */
    public Hello named(String name) {
        return new Hello(
                vocabularySize, requestsMax, draftTokensMax, trees, name, model, revision, tokenizerFingerprint);
    }

    /**
     * Reads HELLO.
     *
     * @throws RefusedEngineException if it is not one, or of another version
     */
    public static Hello read(FrameChannel.Frame frame) throws RefusedEngineException {
        if (frame.type() != FrameFormat.HELLO || frame.sequence() != 0) {
            throw RefusedEngineException.broken("the first frame must be HELLO with sequence 0, got type %d with %d"
                    .formatted(frame.type(), frame.sequence()));
        }
        FrameReader body = frame.body();
        int version = body.u32("version", 0, Integer.MAX_VALUE);
        if (version != FrameFormat.VERSION) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.VERSION,
                    "the door speaks version %d of the protocol, the agent %d; install both of one release"
                            .formatted(version, FrameFormat.VERSION));
        }
        Hello hello = new Hello(
                body.u32("vocabulary size", 1, Integer.MAX_VALUE),
                body.u32("most requests", 1, FrameFormat.REQUESTS_MAX),
                body.u32("most draft tokens", 1, FrameFormat.DRAFT_TOKENS_MAX),
                (body.number("flags") & FrameFormat.TREES) != 0,
                body.string("engine", 1, NAME_BYTES_MAX),
                body.string("model", 1, FrameFormat.STRING_BYTES_MAX),
                body.string("revision", 1, FrameFormat.STRING_BYTES_MAX),
                body.string("tokenizer fingerprint", 1, FrameFormat.STRING_BYTES_MAX));
        body.end();
        if (hello.engine().indexOf('#') >= 0) {
            throw RefusedEngineException.broken("engine must have no '#', got '%s'".formatted(hello.engine()));
        }
        return hello;
    }
}
