package io.tailrace.client.draft;

import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.DraftPolicy;

/** What a lane's policy says of its requests' drafts. It may say something else at any moment, also under a running request. */
public interface DraftTerms {
    /** No policy: as much as the options allow, and nothing known of costs. */
    DraftTerms NONE = new DraftTerms() {
        @Override
        public int draftTokensMax() {
            return DraftPolicy.BUDGET_MAX;
        }

        @Override
        public CostCurve costCurve() {
            return CostCurve.UNKNOWN;
        }
    };

    /** Most draft tokens a request and step; 0: the lane does not draft. Asked in every step. */
    int draftTokensMax();

    /** What the fleet knows of the step times of workers like this one. Asked when a request begins. */
    CostCurve costCurve();
}
