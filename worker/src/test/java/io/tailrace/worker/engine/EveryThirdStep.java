package io.tailrace.worker.engine;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import java.util.Arrays;
import java.util.List;

/** Asks for a draft in every third step, and verifies nothing of it. */
final class EveryThirdStep implements BudgetChoice {
    @Override
    public RequestBudget begin(CostCurve announced) {
        return new RequestBudget() {
            private int steps;

            @Override
            public int draftTokens(int batch, int most) {
                return ++steps % 3 == 0 ? most : 0;
            }

            @Override
            public float probabilityMin() {
                return 0;
            }

            @Override
            public void learn(Draft draft, int nodes, Verdict verdict, long draftNanos) {
                // Nothing is learned here.
            }
        };
    }

    @Override
    public void trim(List<? extends Draft> drafts, List<RequestBudget> requests, int most, int[] nodes) {
        Arrays.fill(nodes, 0, drafts.size(), 0);
    }

    @Override
    public void measured(int batch, int tokens, long nanos) {
        // Times change nothing here.
    }
}
