package io.tailrace.client.draft;

/**
 * The steps that somebody makes with a source, one after the other: requests are added, then drafted for, all at once, which gives a
 * {@link DraftedStep}; only when that was verified the next step can be planned. Reused for all steps; one thread.
 */
public final class DraftPlan {
    private final DraftSource source;
    private final DraftSource.Step step = new DraftSource.Step();
    private final DraftedStep drafted;

    public DraftPlan(DraftSource source) {
        this.source = source;
        this.drafted = new DraftedStep(source, step);
    }

    /**
     * Adds a request to the coming step.
     *
     * @param request begun by the source
     * @param budget most nodes, 0 to 64; 0: it takes part without a draft
     * @param probabilityMin nodes whose path is less likely are of no use
     * @return its place in the step: they count from 0
     * @throws IllegalStateException if the step before was not verified
     */
    public int add(RequestDrafts request, int budget, float probabilityMin) {
        return step.add(request, budget, probabilityMin);
    }

    /** Drafts for all that were added, if there are any. */
    public DraftedStep draft() {
        step.draftBy(source);
        return drafted;
    }

    /** Lets the source learn what {@link DraftedStep#emitted} has left; its requests are still open. */
    public void learn() {
        if (source instanceof FleetDrafts fleet) {
            fleet.learn();
        }
    }
}
