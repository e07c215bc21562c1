package io.tailrace.client.budget;

import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.draft.Draft;

/** What the choice knows of one request. */
public interface RequestBudget {
    /**
     * Most tokens to draft for the coming step; 0: do not draft at all.
     *
     * @param batch requests in the step
     * @param most as much as request, options and policy allow
     */
    int draftTokens(int batch, int most);

    /** A step goes by in which the request does not ask; it counts for its pause. */
    default void pass() {}

    /** In so many steps after the coming one it will not draft, whatever is asked. */
    default int pause() {
        return 0;
    }

    /** Nodes whose path is less likely will not be verified in the coming step. */
    float probabilityMin();

    /**
     * Tells what came of a draft; not called for steps without one. Where no node was verified the next token comes all the same, and says whether
     * the draft was right about it.
     *
     * @param draft as drafted; empty where it is not known
     * @param nodes how many were verified, its first ones
     * @param verdict on those
     * @param draftNanos time of drafting
     */
    void learn(Draft draft, int nodes, Verdict verdict, long draftNanos);
}
