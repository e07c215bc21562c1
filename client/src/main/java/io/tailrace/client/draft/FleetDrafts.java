package io.tailrace.client.draft;

/**
 * Drafts from the fleet's lanes, as a client has them: requests can be begun before they speak, and the next step can be drafted before this one is
 * learned from. A {@link DraftSource} that is none of these learns at once.
 */
public interface FleetDrafts extends DraftSource {
    @Override
    EarlyDrafts begin(String scope, int[] prompt);

    /** As {@link #verified}, but what the step teaches waits for {@link #learn}; called by {@link DraftedStep#emitted}. */
    void emitted(Step step, StepOutcomes outcomes);

    /** Learns what {@link #emitted} has left; called by {@link DraftPlan#learn}. */
    void learn();
}
