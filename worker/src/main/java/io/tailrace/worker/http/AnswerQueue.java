package io.tailrace.worker.http;

import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.AnswerText;
import io.tailrace.worker.engine.TokenLogprob;
import io.tailrace.worker.model.TextTokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One answer on its way from the decode thread to the client's thread, which makes text of its tokens where the engine has not. It
 * holds at most what one answer has, which the engine bounds.
 */
final class AnswerQueue implements Answer.Sink {
    private static final Piece END = new Piece(new int[0], "", List.of(), true);

    private final int index;
    private final Queue<Piece> pieces = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<AnswerQueue> arrivals;
    private final AnswerText text;
    /** Whether the tokens of a step come one by one. */
    private final boolean single;

    private volatile Answer answer;
    private volatile Throwable failure;

    /** Tokens, with their text or null; or the end. */
    private record Piece(int[] tokens, String text, List<TokenLogprob> logprobs, boolean end) {}

    private AnswerQueue(int index, BlockingQueue<AnswerQueue> arrivals, AnswerText text, boolean single) {
        this.index = index;
        this.arrivals = arrivals;
        this.text = text;
        this.single = single;
    }

    /**
     * An answer of which nothing has come, to be taken step by step.
     *
     * @param index of the choice in its call
     * @param arrivals has this once for every piece that has come and is not taken
     * @param stream makes text of tokens that come without; used by the thread that takes
     */
    static AnswerQueue ofSteps(int index, BlockingQueue<AnswerQueue> arrivals, TextTokenizer.TextStream stream) {
        return new AnswerQueue(index, arrivals, new AnswerText(stream, List.of()), false);
    }

    /**
     * An answer of which nothing has come, to be taken token by token. The engine's text is a step's, so that it is made here once more.
     *
     * @param index of the choice in its call
     * @param arrivals has this once for every piece that has come and is not taken
     * @param stream makes text of tokens; used by the thread that takes
     * @param stops texts that end the answer
     */
    static AnswerQueue ofTokens(
            int index, BlockingQueue<AnswerQueue> arrivals, TextTokenizer.TextStream stream, List<String> stops) {
        return new AnswerQueue(index, arrivals, new AnswerText(stream, stops), true);
    }

    @Override
    public void tokens(int[] tokens, int count, String shown, List<TokenLogprob> logprobs) {
        if (!single) {
            add(new Piece(Arrays.copyOf(tokens, count), shown, logprobs, false));
            return;
        }
        for (int i = 0; i < count; i++) {
            add(new Piece(
                    new int[] {tokens[i]}, null, logprobs.isEmpty() ? logprobs : logprobs.subList(i, i + 1), false));
        }
    }

    @Override
    public void finished(Answer complete) {
        answer = complete;
        add(END);
    }

    @Override
    public void failed(Throwable cause) {
        failure = cause;
        add(END);
    }

    private void add(Piece piece) {
        pieces.add(piece);
        arrivals.add(this);
    }

    /** Of the choice in its call. */
    int index() {
        return index;
    }

    /** What a step or a token adds; null at the end. To be called once for each arrival. */
    AnswerPart take() {
        Piece piece = pieces.remove();
        if (piece.end()) {
            return null;
        }
        return new AnswerPart(piece.text() != null ? piece.text() : text(piece.tokens()), piece.logprobs());
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
