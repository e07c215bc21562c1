package io.tailrace.client.budget;

import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import java.util.List;

/** Drafts all that is likely enough and verifies all of it, whatever it costs: for comparisons and tests. */
final class FixedBudget implements BudgetChoice {
    private final RequestBudget request = new RequestBudget() {
        @Override
        public int draftTokens(int batch, int most) {
            return most;
        }

        @Override
        public float probabilityMin() {
            return floor;
        }

        @Override
        public void learn(Draft draft, int nodes, Verdict verdict, long draftNanos) {
            // Nothing is learned here.
        }
    };

    private final float floor;

    FixedBudget(float floor) {
        if (!(floor >= 0 && floor < 1)) {
            throw new IllegalArgumentException("floor must be at least 0 and below 1, got %s".formatted(floor));
        }
        this.floor = floor;
    }

    @Override
    public RequestBudget begin(CostCurve announced) {
        return request;
    }

    @Override
    public void trim(List<? extends Draft> drafts, List<RequestBudget> requests, int most, int[] nodes) {
        int left = most;
        for (int i = 0; i < drafts.size(); i++) {
            nodes[i] = Math.min(left, drafts.get(i).size());
            left -= nodes[i];
        }
    }

    @Override
    public void measured(int batch, int tokens, long nanos) {
        // Times change nothing here.
    }
}
