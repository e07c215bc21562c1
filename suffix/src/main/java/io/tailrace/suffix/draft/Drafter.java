package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;

/**
 * Proposes what a request says next. One request at a time; reusable for the next one by {@link #begin}; not thread-safe.
 */
public interface Drafter {
    /**
     * Starts a request.
     *
     * @param prompt its tokens so far
     * @param length how many there are
     */
    void begin(int[] prompt, int length);

    /**
     * Does now what the next draft would have to do first, once a request and snapshot: who has time between drafts spares them the wait. A draft
     * from the same index gives the same without.
     *
     * @param index shared sources as they stand now
     */
    default void prepare(LaneIndex index) {}

    /**
     * Grows a draft from the context so far.
     *
     * @param index shared sources as they stand now
     * @param budget most nodes, 0 to {@link DraftPolicy#BUDGET_MAX}
     * @return the tree, empty if there is nothing to propose; valid until the next draft
     */
    Draft draft(LaneIndex index, int budget);

    /**
     * Grows a draft of which only the likelier nodes are of use.
     *
     * @param index shared sources as they stand now
     * @param budget most nodes, 0 to {@link DraftPolicy#BUDGET_MAX}
     * @param probabilityMin nodes whose path is less likely may be left out; a policy's floor may ask for more
     * @return the tree, empty if there is nothing to propose; valid until the next draft
     */
    default Draft draft(LaneIndex index, int budget, float probabilityMin) {
        return draft(index, budget);
    }

    /**
     * Tells what the verifier made of the last draft: the accepted path's tokens, then the model's own (bonus) token.
     * Learns from it and extends the context.
     *
     * @param tokens the accepted tokens, then the model's own
     * @param length how many they are
     */
    void verified(int[] tokens, int length);

    /**
     * {@link #verified} in two halves, for who would rather draft before it learns: this one extends the context. What the draft teaches may wait
     * for {@link #learn}; the next draft then does without it.
     *
     * @param tokens the accepted tokens, then the model's own
     * @param length how many they are
     */
    default void emitted(int[] tokens, int length) {
        verified(tokens, length);
    }

    /** The other half: learns what {@link #emitted} has left, if anything. The draft of before stays valid until it has. */
    default void learn() {}

    /** The request is over: lets go of what the lane shares, which may be closed or withdrawn before another begins. */
    default void end() {}
}
