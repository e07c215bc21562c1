package io.tailrace.client.budget;

import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import java.util.List;

/** Drafts as much as is allowed and verifies all of it, whatever it costs: for comparisons and tests. */
final class FixedBudget implements BudgetChoice {
    private static final RequestBudget MOST = new RequestBudget() {
        @Override
        public int draftTokens(int batch, int most) {
            return most;
        }

        @Override
        public float probabilityMin() {
            return 0;
        }

        @Override
        public void verified(float expected, int verified, int accepted, long draftNanos) {
            // Nothing is learned here.
        }
    };

    @Override
    public RequestBudget begin(CostCurve announced) {
        return MOST;
    }

    @Override
    public void trim(List<? extends Draft> drafts, List<RequestBudget> requests, int[] nodes) {
        for (int i = 0; i < drafts.size(); i++) {
            nodes[i] = drafts.get(i).size();
        }
    }

    @Override
    public void measured(int batch, int tokens, long nanos) {
        // Times change nothing here.
    }
}
