package io.tailrace.worker.engine;

import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import java.util.List;

/**
 * An answer that has ended.
 *
 * @param request what was asked
 * @param reason why it ended
 * @param decoded its tokens and what its steps add up to
 * @param queuedAtMillis when it was submitted
 * @param completedAtMillis when its last token was produced
 * @param queuedNanos how long it waited for its first step
 * @param firstTokenNanos from submission to the first token; 0 if there was none
 * @param totalNanos from submission to the end
 */
public record Answer(
        DecodeRequest request,
        FinishReason reason,
        DecodeResult decoded,
        long queuedAtMillis,
        long completedAtMillis,
        long queuedNanos,
        long firstTokenNanos,
        long totalNanos) {
    static Answer cancelledInQueue(QueuedRequest queued) {
        long waited = System.nanoTime() - queued.queuedNanos();
        DecodeResult nothing = new DecodeResult(new int[0], new DecodeTally(), 0, 0);
        long now = System.currentTimeMillis();
        return new Answer(
                queued.request(), FinishReason.CANCELLED, nothing, queued.queuedAtMillis(), now, waited, 0, waited);
    }

    /** Time of an output token after the first, on average, in nanoseconds; 0 with fewer than two tokens. */
    public double nanosPerOutputToken() {
        int later = decoded.output().length - 1;
        return later < 1 ? 0 : (double) (totalNanos - firstTokenNanos) / later;
    }

    /** Why an answer ended. */
    public enum FinishReason {
        /** An end token or a stop string. */
        STOP,
        /** As many tokens as were asked for, or as the context holds. */
        LENGTH,
        /** Nobody waits for it any more. */
        CANCELLED
    }

    /** Takes one answer as it comes. Called by the decode thread: must be quick and never block. */
    public interface Sink {
        /**
         * Tokens of one step.
         *
         * @param tokens valid during the call only
         * @param count how many of them
         * @param text what may be shown of the answer from now on and could not be shown before, if the request has stop texts: the
         *     engine reads the answer for their sake, and nobody needs to do it again. Null if it has none: whoever wants a text makes it of
         *     the tokens
         * @param logprobs one a token, the caller's to keep; empty if the request does not ask for them
         */
        void tokens(int[] tokens, int count, String text, List<TokenLogprob> logprobs);

        /** The answer is complete, or was cancelled. The last call. */
        void finished(Answer answer);

        /** The engine broke. The last call. */
        void failed(Throwable cause);
    }
}
