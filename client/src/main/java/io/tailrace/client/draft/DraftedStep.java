package io.tailrace.client.draft;

import io.tailrace.suffix.draft.Draft;

/** A step that was drafted for. All that is left to do with it is to verify its drafts and to say what came of them. */
public final class DraftedStep {
    private final DraftSource source;
    private final DraftSource.Step step;

    DraftedStep(DraftSource source, DraftSource.Step step) {
        this.source = source;
        this.step = step;
    }

    public int size() {
        return step.size();
    }

    /** A request's draft, within its budget; valid until {@link #verified}. */
    public Draft draft(int place) {
        return step.draft(place);
    }

    /** What of the time of drafting was this request's. */
    public long nanos(int place) {
        return step.nanos(place);
    }

    /** Tells the source what all requests of the step emitted; the next step may be planned. */
    public void verified(StepOutcomes outcomes) {
        step.verifiedBy(source, outcomes);
    }

    /** The same, for who drafts the next step first and then learns from this one: {@link DraftPlan#learn}. */
    public void emitted(StepOutcomes outcomes) {
        step.emittedBy(source, outcomes);
    }
}
