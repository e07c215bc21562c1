package io.tailrace.worker.http;

import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.AnswerText;
import io.tailrace.worker.model.TextTokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One answer on its way from the decode thread to the client's thread, which makes text of its tokens where the engine has not. It
 * holds at most what one answer has, which the engine bounds.
 */
final class AnswerQueue implements Answer.Sink {
    private static final Piece END = new Piece(new int[0], "", true);

    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final AnswerText text;
    /** Whether the tokens of a step come one by one. */
    private final boolean single;

    private volatile Answer answer;
    private volatile Throwable failure;

    /** Tokens, with their text or null; or the end. */
    private record Piece(int[] tokens, String text, boolean end) {}

    private AnswerQueue(AnswerText text, boolean single) {
        this.text = text;
        this.single = single;
    }

    /**
     * An answer of which nothing has come, to be taken step by step.
     *
     * @param stream makes text of tokens that come without; used by the thread that takes
     */
    static AnswerQueue ofSteps(TextTokenizer.TextStream stream) {
        return new AnswerQueue(new AnswerText(stream, List.of()), false);
    }

    /**
     * An answer of which nothing has come, to be taken token by token. The engine's text is a step's, so that it is made here once more.
     *
     * @param stream makes text of tokens; used by the thread that takes
     * @param stops texts that end the answer
     */
    static AnswerQueue ofTokens(TextTokenizer.TextStream stream, List<String> stops) {
        return new AnswerQueue(new AnswerText(stream, stops), true);
    }

    @Override
    public void tokens(int[] tokens, int count, String shown) {
        if (!single) {
            pieces.add(new Piece(Arrays.copyOf(tokens, count), shown, false));
            return;
        }
        for (int i = 0; i < count; i++) {
            pieces.add(new Piece(new int[] {tokens[i]}, null, false));
        }
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

    /** What a step or a token adds to the text, which may be nothing; null at the end. Waits for it. */
    String take() throws InterruptedException {
        Piece piece = pieces.take();
        if (piece.end()) {
            return null;
        }
        return piece.text() != null ? piece.text() : text(piece.tokens());
    }

    /** What is left of the text, once {@link #take} has said that the answer ended. */
    String rest() {
        return text.finish();
    }

    /** The whole answer, once {@link #take} has said that it ended; null if it was cut short by a failure. */
    Answer answer() {
        return failure == null ? answer : null;
    }

    private String text(int[] tokens) {
        StringBuilder added = new StringBuilder();
        for (int token : tokens) {
            added.append(text.append(token));
        }
        return added.toString();
    }
}
