package io.tailrace.worker.verify;

/**
 * What a model is asked: to go on greedily behind a prompt.
 *
 * @param prompt at least one token
 * @param outputTokensMax the answer ends after so many tokens, at least 1
 * @param endTokens or with one of these, which is its last
 */
public record ModelRequest(int[] prompt, int outputTokensMax, int[] endTokens) {
    public ModelRequest {
        if (prompt.length == 0) {
            throw new IllegalArgumentException("a prompt has at least one token");
        }
        if (outputTokensMax < 1) {
            throw new IllegalArgumentException("outputTokensMax must be at least 1, got " + outputTokensMax);
        }
    }
}
