package io.tailrace.worker.candidates;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.draft.internal.LaneRequest;
import io.tailrace.suffix.draft.CandidateDrafter;
import io.tailrace.suffix.draft.Drafter;

/** A lane's drafts whose drafters want to know the target's candidates. */
public final class CandidateDrafts implements DraftSource, TargetCandidates {
    private final DraftSource lanes;
    private final int wanted;
    /** The step in hand. */
    private Step step;

    /**
     * Drafts that are told candidates.
     *
     * @param lanes whose requests are a lane's, with drafters that take them
     * @param wanted how many, at least 1
     */
    public CandidateDrafts(DraftSource lanes, int wanted) {
        if (wanted < 1) {
            throw new IllegalArgumentException("wanted must be at least 1, got " + wanted);
        }
        this.lanes = lanes;
        this.wanted = wanted;
    }

    @Override
    public int wanted() {
        return wanted;
    }

    @Override
    public boolean lacks(int place, int token) {
        return drafter(place) instanceof CandidateDrafter drafter && drafter.lacks(token);
    }

    @Override
    public void told(int place, int token, int[] candidates) {
        if (drafter(place) instanceof CandidateDrafter drafter) {
            drafter.candidates(token, candidates, candidates.length);
        }
    }

    /** Null before the request's first draft. */
    private Drafter drafter(int place) {
        return step.request(place, LaneRequest.class).drafter();
    }

    @Override
    public String strategy() {
        return lanes.strategy();
    }

    @Override
    public RequestDrafts begin(String scope, int[] prompt) {
        return lanes.begin(scope, prompt);
    }

    @Override
    public void draft(Step next) {
        step = next;
        lanes.draft(next);
    }

    @Override
    public void verified(Step ended, StepOutcomes outcomes) {
        lanes.verified(ended, outcomes);
    }

    @Override
    public void close() {
        lanes.close();
    }
}
