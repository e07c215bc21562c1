package io.tailrace.client.budget;

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

    /** Nodes whose path is less likely will not be verified in the coming step. */
    float probabilityMin();

    /**
     * Tells what came of a draft; not called for steps without one.
     *
     * @param expected sum of the probabilities, as drafted, of the nodes of which is known whether they were right: those
     *     verified or, where none was, those for the next token
     * @param verified nodes verified
     * @param accepted nodes that were right, of those
     * @param draftNanos time of drafting
     */
    void verified(float expected, int verified, int accepted, long draftNanos);

    /**
     * Tells what came of a draft, by its nodes. Where none was verified the next token comes all the same, and says whether the draft was right
     * about it.
     *
     * @param draft as drafted; empty where it is not known
     * @param nodes how many were verified
     * @param accepted of those
     * @param next the first token that came
     * @param draftNanos time of drafting
     */
    default void learn(Draft draft, int nodes, int accepted, int next, long draftNanos) {
        float expected = 0;
        int right = accepted;
        for (int node = 0; node < draft.size() && (nodes == 0 || node < nodes); node++) {
            boolean known = nodes > 0 || draft.parent(node) < 0;
            expected += known ? draft.probability(node) : 0;
            right = nodes == 0 && known && draft.token(node) == next ? 1 : right;
        }
        verified(expected, nodes, right, draftNanos);
    }
}
