package io.tailrace.worker.http;

import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.AnswerSink;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One answer on its way from the decode thread to the client's thread. It holds at most what one answer has, which the engine
 * bounds.
 */
final class AnswerQueue implements AnswerSink {
    private static final int[] END = {};

    private final BlockingQueue<int[]> pieces = new LinkedBlockingQueue<>();
    private volatile Answer answer;
    private volatile Throwable failure;

    @Override
    public void tokens(int[] tokens, int count) {
        pieces.add(Arrays.copyOf(tokens, count));
    }

    @Override
    public void finished(Answer complete) {
        answer = complete;
        pieces.add(END);
    }

    @Override
    public void failed(Throwable cause) {
        failure = cause;
        pieces.add(END);
    }

    /** The next tokens; null at the end. Waits for them. */
    int[] take() throws InterruptedException {
        int[] piece = pieces.take();
        return piece == END ? null : piece;
    }

    /** The whole answer, once {@link #take} has said that it ended; null if it was cut short by a failure. */
    Answer answer() {
        return failure == null ? answer : null;
    }
}
