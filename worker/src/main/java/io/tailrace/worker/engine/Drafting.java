package io.tailrace.worker.engine;

import io.tailrace.suffix.draft.Draft;

/** The drafts of one request. */
public interface Drafting extends AutoCloseable {
    /**
     * Grows a draft.
     *
     * @param budget most nodes, 0 to 64
     * @return valid until {@link #verified}
     */
    Draft draft(int budget);

    /** Tells what was emitted since: accepted tokens and the model's own. Also called after steps without a draft. */
    void verified(int[] tokens, int count);

    /**
     * Tells the target's likeliest tokens after a token, best first: at every place of the last verification, before
     * {@link #verified}. Only where the source wants to know them.
     *
     * @param token what was verified
     * @param candidates valid during the call
     */
    default void candidates(int token, int[] candidates) {
        // Most sources look at texts only.
    }

    /** Version of the snapshot drafted from last; 0: none. */
    long snapshotVersion();

    @Override
    void close();
}
