package io.tailrace.worker;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.worker.verify.SimulatedStepTime;

/**
 * How a worker serves a request.
 *
 * @param budgetMax most draft tokens a verification, 0 to 64; a lane's policy may say less
 * @param measureOwnContext decode each request once more from its own context only, with a mixer of its own, so that both
 *     are compared on the same requests
 * @param reportPrompts generations carry the prompt, as far as the input kept it
 * @param stepTime what a verification would cost
 */
public record ServingOptions(
        int budgetMax, boolean measureOwnContext, boolean reportPrompts, SimulatedStepTime stepTime) {
    public ServingOptions {
        if (budgetMax < 0 || budgetMax > DraftPolicy.BUDGET_MAX) {
            throw new IllegalArgumentException(
                    "budgetMax must be 0 to %d, got %d".formatted(DraftPolicy.BUDGET_MAX, budgetMax));
        }
        if (stepTime == null) {
            throw new IllegalArgumentException("stepTime must be given");
        }
    }

    /** Budget 16, prompts reported, own context not measured. */
    public static ServingOptions defaults() {
        return new ServingOptions(16, false, true, SimulatedStepTime.defaults());
    }

    public ServingOptions withMeasureOwnContext(boolean measure) {
        return new ServingOptions(budgetMax, measure, reportPrompts, stepTime);
    }

    public ServingOptions withBudgetMax(int tokens) {
        return new ServingOptions(tokens, measureOwnContext, reportPrompts, stepTime);
    }

    public ServingOptions withStepTime(SimulatedStepTime time) {
        return new ServingOptions(budgetMax, measureOwnContext, reportPrompts, time);
    }
}
