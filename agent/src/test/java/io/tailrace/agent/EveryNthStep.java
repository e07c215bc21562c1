package io.tailrace.agent;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import java.util.Arrays;
import java.util.List;

/** Has each request drafted for in every n-th step, and verifies nothing of it. */
public final class EveryNthStep implements BudgetChoice {
    private final int steps;

    public EveryNthStep(int steps) {
        this.steps = steps;
    }

    /** Drafts for nobody. */
    public static EveryNthStep never() {
        return new EveryNthStep(Integer.MAX_VALUE);
    }

    @Override
    public RequestBudget begin(CostCurve announced) {
        return new RequestBudget() {
            private int asked;

            @Override
            public int draftTokens(int batch, int most) {
                return ++asked % steps == 0 ? most : 0;
            }

            @Override
            public float probabilityMin() {
                return 0;
            }

            @Override
            public void learn(Draft draft, int nodes, Verdict verdict, long draftNanos) {
                // The next pause is as long.
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
