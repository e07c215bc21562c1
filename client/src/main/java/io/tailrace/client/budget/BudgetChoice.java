package io.tailrace.client.budget;

import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import java.util.List;

/**
 * Decides how many draft tokens a step carries. One thread.
 *
 * <p><b>Order of calls.</b> For each step {@link RequestBudget#draftTokens} of its requests, then {@link #trim}. When the step is over {@link #measured}, if
 * its time is known, then {@link RequestBudget#learn} of its requests. Only then the next step: what is told is of the step that was trimmed last. Of steps
 * for which nobody asks for drafts, {@link #measuredUnasked} and {@link RequestBudget#pass} tell.
 */
public interface BudgetChoice {
    /** Where times are kept, larger batches are told apart by a quarter of an octave. */
    int BATCH_EXACT = StepCosts.BATCH_EXACT;

    /** Verifies what pays, by what steps have taken. */
    static BudgetChoice measured() {
        return new MeasuredBudget(new StepCosts());
    }

    /** Drafts as much as is allowed and verifies all of it, whatever it costs: for comparisons and tests. */
    static BudgetChoice fixed() {
        return fixed(0);
    }

    /**
     * The same, but for what is too unlikely.
     *
     * @param floor tokens less likely than this are not drafted
     */
    static BudgetChoice fixed(float floor) {
        return new FixedBudget(floor);
    }

    /**
     * Begins a request.
     *
     * @param announced what its lane's policy says that steps of this class of workers take; unknown where the fleet has not seen any
     */
    RequestBudget begin(CostCurve announced);

    /**
     * Says how much of each draft to verify: its first nodes, which are its likeliest.
     *
     * @param drafts one a request, some of them empty
     * @param requests theirs, in the same order
     * @param most nodes of all drafts together that the step has room for
     * @param nodes filled: how many nodes of each to verify
     */
    void trim(List<? extends Draft> drafts, List<RequestBudget> requests, int most, int[] nodes);

    /**
     * The step that was trimmed last was measured; it had no prompt tokens.
     *
     * @param batch requests in it
     * @param tokens verified tokens of all of them: one each, and their draft tokens
     * @param nanos its time, drafting not included
     */
    void measured(int batch, int tokens, long nanos);

    /**
     * Another step without prompt tokens was measured, one for which nobody asked for a draft: none was trimmed.
     *
     * @param batch requests in it
     * @param tokens verified tokens of all of them
     * @param nanos its time
     */
    default void measuredUnasked(int batch, int tokens, long nanos) {}
}
