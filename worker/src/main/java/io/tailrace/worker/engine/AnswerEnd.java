package io.tailrace.worker.engine;

import java.util.function.IntPredicate;

/** Knows with which token an answer ends: an end token, one that completes a stop text, or the last one allowed. */
final class AnswerEnd {
    private final IntPredicate endToken;
    private final AnswerText text;
    private final int tokensMax;
    private final StringBuilder shown = new StringBuilder();
    private int tokens;
    private Answer.FinishReason reason;

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
            shown.append(text.append(token));
        }
        if (endToken.test(token) || (text != null && text.stopped())) {
            reason = Answer.FinishReason.STOP;
        } else if (tokens >= tokensMax) {
            reason = Answer.FinishReason.LENGTH;
        }
        if (reason != null && text != null) {
            shown.append(text.finish());
        }
    }

    /** What may be shown since the last call; null if the answer's text is not followed. */
    String shown() {
        if (text == null) {
            return null;
        }
        String added = shown.toString();
        shown.setLength(0);
        return added;
    }

    /** Tokens that may still come. */
    int left() {
        return tokensMax - tokens;
    }

    /** Null while the answer goes on. */
    Answer.FinishReason reason() {
        return reason;
    }
}
