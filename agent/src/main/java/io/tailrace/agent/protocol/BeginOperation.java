package io.tailrace.agent.protocol;

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
public record BeginOperation(
        int request,
        boolean secret,
        int promptTokens,
        long startedAtMillis,
        float temperature,
        String id,
        String scope,
        int[] tokens) {
    private static final int ID_BYTES_MAX = 200;

    static BeginOperation read(int request, FrameReader body, int vocabularySize) throws RefusedEngineException {
        boolean secret = (body.u32("flags", 0, Integer.MAX_VALUE) & FrameFormat.PRIVATE) != 0;
        int promptTokens = body.u32("prompt tokens", 0, Integer.MAX_VALUE);
        long startedAtMillis = body.i64("start");
        float temperature = body.f32("temperature");
        String id = body.string("request id", 1, ID_BYTES_MAX);
        String scope = body.string("scope", 0, ID_BYTES_MAX);
        int[] tokens = new int[body.tokenCount("tokens")];
        body.tokens("tokens", tokens.length, vocabularySize, tokens, 0);
        if (promptTokens > tokens.length) {
            throw RefusedEngineException.broken(
                    "prompt tokens must be at most the %d that follow, got %d".formatted(tokens.length, promptTokens));
        }
        return new BeginOperation(request, secret, promptTokens, startedAtMillis, temperature, id, scope, tokens);
    }
}
