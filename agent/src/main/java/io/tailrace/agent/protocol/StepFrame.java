package io.tailrace.agent.protocol;

/**
 * A STEP: what its head says, and its operations in their order.
 *
 * @param sequence its number
 * @param nanos time of the step that has ended; 0: not measured
 * @param requests of that step
 * @param rows of that step
 * @param draftTokensMax of the coming step, all requests together
 * @param operations how many follow
 * @param body where they follow
 */
public record StepFrame(
        long sequence, long nanos, int requests, int rows, int draftTokensMax, int operations, FrameReader body) {
    /** Reads a STEP's head. */
    public static StepFrame read(FrameChannel.Frame frame) throws RefusedEngineException {
        if (frame.type() != FrameFormat.STEP) {
            throw RefusedEngineException.broken(
                    "after HELLO every frame must be STEP, got type %d".formatted(frame.type()));
        }
        if (frame.sequence() < 1) {
            throw RefusedEngineException.broken("STEPs count from 1, got sequence %d".formatted(frame.sequence()));
        }
        FrameReader body = frame.body();
        return new StepFrame(
                frame.sequence(),
                body.u64("nanoseconds"),
                body.u32("requests", 0, Integer.MAX_VALUE),
                body.u32("rows", 0, Integer.MAX_VALUE),
                body.u32("most draft tokens of the step", 0, Integer.MAX_VALUE),
                body.u32("operations", 0, Integer.MAX_VALUE),
                body);
    }

    /** Hands the operations on; the first that is refused ends it. */
    public void handTo(Operations engine, int vocabularySize) throws RefusedEngineException {
        for (int i = 0; i < operations; i++) {
            int kind = body.u32("kind of operation", 1, Integer.MAX_VALUE);
            int request = body.number("request");
            switch (kind) {
                case FrameFormat.BEGIN -> engine.begin(Begin.read(request, body, vocabularySize));
                case FrameFormat.EXTEND -> extend(engine, request, vocabularySize);
                case FrameFormat.END ->
                    engine.end(request, EndReason.of(body.u32("reason", 0, Integer.MAX_VALUE)), body.i64("end"));
                case FrameFormat.DRAFT ->
                    engine.draft(request, body.u32("most tokens", 1, FrameFormat.DRAFT_TOKENS_MAX));
                default ->
                    throw RefusedEngineException.broken("an operation's kind must be 1 to 4, got %d".formatted(kind));
            }
        }
        body.end();
    }

    private void extend(Operations engine, int request, int vocabularySize) throws RefusedEngineException {
        int verified = body.u32("verified", 0, FrameFormat.DRAFT_TOKENS_MAX);
        int count = body.tokenCount("said");
        int[] room = engine.room(request, count);
        body.tokens("said", count, vocabularySize, room, engine.length(request));
        engine.extend(request, verified, count);
    }

    /** What a STEP asks for; the calls come in the frame's order. */
    public interface Operations {
        void begin(Begin request) throws RefusedEngineException;

        /** Where a request's tokens are, with room for so many more behind {@link #length}. */
        int[] room(int request, int more) throws RefusedEngineException;

        /** How many tokens a request has. */
        int length(int request) throws RefusedEngineException;

        /**
         * A request has said more; it stands in its room.
         *
         * @param verified how many nodes of its last draft
         * @param count tokens said
         */
        void extend(int request, int verified, int count) throws RefusedEngineException;

        void end(int request, EndReason reason, long atMillis) throws RefusedEngineException;

        void draft(int request, int tokensMax) throws RefusedEngineException;
    }

    /**
     * A request that an agent is to know.
     *
     * @param request the door's number for it
     * @param secret its answer is neither remembered nor reported
     * @param promptTokens how many of the tokens are the prompt's
     * @param startedAtMillis when it arrived
     * @param temperature 0: greedy; negative: unknown
     * @param id unique in the lane
     * @param scope empty: the agent's own choice
     * @param tokens the prompt, then what was said so far
     */
    public record Begin(
            int request,
            boolean secret,
            int promptTokens,
            long startedAtMillis,
            float temperature,
            String id,
            String scope,
            int[] tokens) {
        private static final int ID_BYTES_MAX = 200;

        static Begin read(int request, FrameReader body, int vocabularySize) throws RefusedEngineException {
            boolean secret = (body.number("flags") & FrameFormat.PRIVATE) != 0;
            int promptTokens = body.u32("prompt tokens", 0, Integer.MAX_VALUE);
            long startedAtMillis = body.i64("start");
            float temperature = body.f32("temperature");
            String id = body.string("request id", 1, ID_BYTES_MAX);
            String scope = body.string("scope", 0, FrameFormat.STRING_BYTES_MAX);
            int[] tokens = new int[body.tokenCount("tokens")];
            body.tokens("tokens", tokens.length, vocabularySize, tokens, 0);
            if (promptTokens > tokens.length) {
                throw RefusedEngineException.broken("prompt tokens must be at most the %d that follow, got %d"
                        .formatted(tokens.length, promptTokens));
            }
            return new Begin(request, secret, promptTokens, startedAtMillis, temperature, id, scope, tokens);
        }
    }
}
