package io.tailrace.worker.engine;

import java.util.function.IntPredicate;

/** Knows with which token an answer ends: an end token, one that completes a stop text, or the last one allowed. */
final class AnswerEnd {
    private final IntPredicate endToken;
    private final AnswerText text;
    private final int tokensMax;
    private int tokens;
    private FinishReason reason;

    /**
     * The end of a new answer.
     *
     * @param text follows the answer's text where it has stop texts; else null
     */
    AnswerEnd(IntPredicate endToken, AnswerText text, int tokensMax) {
        this.endToken = endToken;
        this.text = text;
        this.tokensMax = tokensMax;
    }

    /** Takes the next token, which may be the last one. */
    void take(int token) {
        tokens++;
        if (text != null) {
            text.append(token);
        }
        if (endToken.test(token) || (text != null && text.stopped())) {
            reason = FinishReason.STOP;
        } else if (tokens >= tokensMax) {
            reason = FinishReason.LENGTH;
        }
    }

    /** Tokens that may still come. */
    int left() {
        return tokensMax - tokens;
    }

    /** Null while the answer goes on. */
    FinishReason reason() {
        return reason;
    }
}
