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
    public static StepFrame read(Frame frame) throws RefusedEngineException {
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
                body.i64("nanoseconds"),
                body.u32("requests", 0, Integer.MAX_VALUE),
                body.u32("rows", 0, Integer.MAX_VALUE),
                body.u32("most draft tokens of the step", 0, Integer.MAX_VALUE),
                body.u32("operations", 0, Integer.MAX_VALUE),
                body);
    }

    /** Hands the operations on; the first that is refused ends it. */
    public void handTo(StepOperations engine, int vocabularySize) throws RefusedEngineException {
        for (int i = 0; i < operations; i++) {
            int kind = body.u32("kind of operation", 1, Integer.MAX_VALUE);
            int request = body.number("request");
            switch (kind) {
                case FrameFormat.BEGIN -> engine.begin(BeginOperation.read(request, body, vocabularySize));
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

    private void extend(StepOperations engine, int request, int vocabularySize) throws RefusedEngineException {
        int verified = body.u32("verified", 0, FrameFormat.DRAFT_TOKENS_MAX);
        int count = body.tokenCount("said");
        int[] room = engine.room(request, count);
        body.tokens("said", count, vocabularySize, room, engine.length(request));
        engine.extend(request, verified, count);
    }
}
