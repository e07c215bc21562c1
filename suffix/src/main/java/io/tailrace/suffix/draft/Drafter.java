package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;

/**
 * Proposes what a request says next. One request at a time; reusable for the next one by {@link #begin}; not thread-safe.
 */
public interface Drafter {
    /** Starts a request. */
    void begin(int[] prompt, int length);

    /**
     * Grows a draft from the context so far.
     *
     * @param index shared sources as they stand now
     * @param budget most nodes, 0 to {@link DraftPolicy#BUDGET_MAX}
     */
    Draft draft(LaneIndex index, int budget);

    /**
     * Grows a draft of which only the likelier nodes are of use.
     *
     * @param probabilityMin nodes whose path is less likely may be left out; a policy's floor may ask for more
     */
    default Draft draft(LaneIndex index, int budget, float probabilityMin) {
        return draft(index, budget);
    }

    /**
     * Tells what the verifier made of the last draft: the accepted path's tokens, then the model's own (bonus) token.
     * Learns from it and extends the context.
     */
    void verified(int[] tokens, int length);
}
