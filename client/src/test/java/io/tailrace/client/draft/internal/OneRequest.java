package io.tailrace.client.draft.internal;

import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.suffix.draft.Draft;

/** A request that is alone in its steps, for tests. */
public final class OneRequest implements StepOutcomes, AutoCloseable {
    private final RequestDrafts request;
    private final DraftPlan plan;
    private DraftedStep step;
    private int[] tokens;
    private int count;

    public OneRequest(DraftSource source, String scope, int[] prompt) {
        request = source.begin(scope, prompt);
        plan = new DraftPlan(source);
    }

    public RequestDrafts request() {
        return request;
    }

    /** Begins a step; the one before must have been verified. */
    public Draft draft(int budget) {
        plan.add(request, budget, 0);
        step = plan.draft();
        return step.draft(0);
    }

    /** Ends it. */
    public void verified(int... emitted) {
        verified(emitted, emitted.length);
    }

    public void verified(int[] emitted, int length) {
        tokens = emitted;
        count = length;
        step.verified(this);
    }

    @Override
    public int[] tokens(int place) {
        return tokens;
    }

    @Override
    public int count(int place) {
        return count;
    }

    @Override
    public void close() {
        request.close();
    }
}
