package io.tailrace.lab.replay;

import io.tailrace.suffix.RememberedAnswer;
import java.util.List;

/**
 * How requests are replayed: what is counted, when a finished response can be drafted from, and by whom.
 *
 * @param counting which requests the figures are taken from
 * @param flush finished responses are taken into the index so many at a time; 1: each at once
 * @param lag a finished response is held up until so many further requests have finished; 0: not at all
 * @param workers requests are dealt to them in turn; each has a drafter of its own, that learns from its own requests
 * @param sharing whether workers draft from each other's responses
 * @param sources where drafts may come from
 * @param warm answers that are in every lane from the start
 * @param promptTail so many of a prompt's last tokens are remembered before its response
 */
public record ReplayProtocol(
        Counting counting,
        int flush,
        int lag,
        int workers,
        Sharing sharing,
        Sources sources,
        List<RememberedAnswer> warm,
        int promptTail) {
    /** Which requests of a stream are counted; all are replayed. */
    public enum Counting {
        ALL,
        SECOND_HALF;

        int from(int requests) {
            return this == ALL ? 0 : requests / 2;
        }
    }

    /** What workers know of each other. */
    public enum Sharing {
        /** One index for all. With several workers, each also drafts from its own responses at once, whatever flush and lag say. */
        SHARED,
        /** Each worker has an index of its own responses only. */
        SILO
    }

    /** Where drafts may come from. */
    public enum Sources {
        /** The request's own context and the lane. */
        BOTH,
        /** The request's own context only. */
        OWN
    }

    public ReplayProtocol {
        require(flush >= 1, "flush must be at least 1, got %d", flush);
        require(lag >= 0, "lag must be at least 0, got %d", lag);
        require(workers >= 1, "workers must be at least 1, got %d", workers);
        warm = List.copyOf(warm);
    }

    /** The second half counted, every response in the index at once, one worker, an empty lane. */
    public static ReplayProtocol online() {
        return new ReplayProtocol(
                Counting.SECOND_HALF, 1, 0, 1, Sharing.SHARED, Sources.BOTH, List.of(), RememberedAnswer.TAIL_TOKENS);
    }

    public ReplayProtocol counting(Counting other) {
        return new ReplayProtocol(other, flush, lag, workers, sharing, sources, warm, promptTail);
    }

    public ReplayProtocol delayed(int flushEvery, int lagRequests) {
        return new ReplayProtocol(counting, flushEvery, lagRequests, workers, sharing, sources, warm, promptTail);
    }

    public ReplayProtocol dealt(int toWorkers, Sharing how) {
        return new ReplayProtocol(counting, flush, lag, toWorkers, how, sources, warm, promptTail);
    }

    public ReplayProtocol from(Sources other) {
        return new ReplayProtocol(counting, flush, lag, workers, sharing, other, warm, promptTail);
    }

    public ReplayProtocol warmed(List<RememberedAnswer> answers) {
        return new ReplayProtocol(counting, flush, lag, workers, sharing, sources, answers, promptTail);
    }

    public ReplayProtocol remembering(int tokens) {
        return new ReplayProtocol(counting, flush, lag, workers, sharing, sources, warm, tokens);
    }

    /** All but the responses: what tells one protocol from another in reports. */
    public String describe() {
        return "count %s, flush %d, lag %d, %d workers %s, sources %s, %d warm, %d prompt tokens remembered"
                .formatted(counting, flush, lag, workers, sharing, sources, warm.size(), promptTail);
    }

    private static void require(boolean condition, String rule, int got) {
        if (!condition) {
            throw new IllegalArgumentException(rule.formatted(got));
        }
    }
}
