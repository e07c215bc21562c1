package io.tailrace.worker.budget;

/** What the choice knows of one request. */
public interface RequestBudget {
    /**
     * Most tokens to draft for the coming step; 0: do not draft at all.
     *
     * @param batch requests in the step
     * @param most as much as request, options and policy allow
     */
    int draftTokens(int batch, int most);

    /**
     * Tells what came of a draft; not called for steps without one.
     *
     * @param expected sum of the verified nodes' probabilities as drafted
     * @param verified nodes verified
     * @param accepted of them
     * @param draftNanos time of drafting
     */
    void verified(float expected, int verified, int accepted, long draftNanos);
}
