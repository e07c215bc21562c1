package io.tailrace.client.draft.internal;

import io.tailrace.client.draft.DraftTerms;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.DraftPolicy;

/**
 * A lane's terms as its live snapshot's policy has them, whatever strategy drafts: the next step obeys a policy that was switched off, or
 * on again.
 *
 * @param live the lane's
 * @param workerClass whose costs are this worker's
 */
public record PolicyTerms(LiveSnapshot live, String workerClass) implements DraftTerms {
    @Override
    public int draftTokensMax() {
        DraftPolicy policy = live.policy();
        return policy.enabled() ? policy.budgetMax() : 0;
    }

    @Override
    public CostCurve costCurve() {
        return live.costCurve(workerClass);
    }
}
