package io.tailrace.worker.engine;

/** Takes one answer as it comes. Called by the decode thread: must be quick and never block. */
public interface AnswerSink {
    /**
     * Tokens of one step.
     *
     * @param tokens valid during the call only
     * @param count how many of them
     * @param text what may be shown of the answer from now on and could not be shown before, if the request has stop texts: the
     *     engine reads the answer for their sake, and nobody needs to do it again. Null if it has none: whoever wants a text makes it of
     *     the tokens
     */
    void tokens(int[] tokens, int count, String text);

    /** The answer is complete, or was cancelled. The last call. */
    void finished(Answer answer);

    /** The engine broke. The last call. */
    void failed(Throwable cause);
}
