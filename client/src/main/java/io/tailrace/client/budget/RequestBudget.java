package io.tailrace.client.budget;

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
}
