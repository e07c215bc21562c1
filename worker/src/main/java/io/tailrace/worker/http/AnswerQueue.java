package io.tailrace.worker.http;

import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.model.TextTokenizer;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One answer on its way from the decode thread to the client's thread, which makes text of its tokens where the engine has not. It
 * holds at most what one answer has, which the engine bounds.
 */
final class AnswerQueue implements Answer.Sink {
    private static final Piece END = new Piece(new int[0], "", true);

    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final TextTokenizer.TextStream stream;
    private volatile Answer answer;
    private volatile Throwable failure;

    /** Tokens of one step, with their text or null; or the end. */
    private record Piece(int[] tokens, String text, boolean end) {}

    /**
     * An answer of which nothing has come.
     *
     * @param stream makes text of tokens that come without; used by the thread that takes
     */
    AnswerQueue(TextTokenizer.TextStream stream) {
        this.stream = stream;
    }

    @Override
    public void tokens(int[] tokens, int count, String text) {
        pieces.add(new Piece(Arrays.copyOf(tokens, count), text, false));
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

    /** What a step adds to the text, which may be nothing; null at the end. Waits for it. */
    String take() throws InterruptedException {
        Piece piece = pieces.take();
        if (piece.end()) {
            return null;
        }
        return piece.text() != null ? piece.text() : text(piece.tokens());
    }

    /** What is left of the text, once {@link #take} has said that the answer ended. */
    String rest() {
        return stream.finish();
    }

    /** The whole answer, once {@link #take} has said that it ended; null if it was cut short by a failure. */
    Answer answer() {
        return failure == null ? answer : null;
    }

    private String text(int[] tokens) {
        StringBuilder text = new StringBuilder();
        for (int token : tokens) {
            text.append(stream.append(token));
        }
        return text.toString();
    }
}
