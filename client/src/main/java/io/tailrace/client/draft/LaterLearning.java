package io.tailrace.client.draft;

/** A {@link DraftSource} that can draft the next step before it learns from this one. A source that is none of these learns at once. */
public interface LaterLearning extends DraftSource {
    /** As {@link #verified}, but what the step teaches waits for {@link #learn}; called by {@link DraftedStep#emitted}. */
    void emitted(Step step, StepOutcomes outcomes);

    /** Learns what {@link #emitted} has left; called by {@link DraftPlan#learn}. */
    void learn();
}
