package io.tailrace.worker.engine;

/** Takes one answer as it comes. Called by the decode thread: must be quick and never block. */
public interface AnswerSink {
    /** Tokens of one step; {@code tokens} is valid during the call only. */
    void tokens(int[] tokens, int count);

    /** The answer is complete, or was cancelled. The last call. */
    void finished(Answer answer);

    /** The engine broke. The last call. */
    void failed(Throwable cause);
}
