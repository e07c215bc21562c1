package io.tailrace.lab.load;

import io.tailrace.suffix.draft.DraftPolicy;

/**
 * How a worker serves a request.
 *
 * @param budgetMax most draft tokens a verification, 0 to 64; a lane's policy may say less
 * @param measureOwnContext decode each request once more from its own context only, with a mixer of its own, so that both
 *     are compared on the same requests
 * @param reportPrompts generations carry the prompt, as far as the input kept it
 * @param stepTime what a verification would cost
 */
public record LoadServingOptions(
        int budgetMax, boolean measureOwnContext, boolean reportPrompts, SimulatedStepTime stepTime) {
    public LoadServingOptions {
        if (budgetMax < 0 || budgetMax > DraftPolicy.BUDGET_MAX) {
            throw new IllegalArgumentException(
                    "budgetMax must be 0 to %d, got %d".formatted(DraftPolicy.BUDGET_MAX, budgetMax));
        }
        if (stepTime == null) {
            throw new IllegalArgumentException("stepTime must be given");
        }
    }

    /** Budget 16, prompts reported, own context not measured. */
    public static LoadServingOptions defaults() {
        return new LoadServingOptions(16, false, true, SimulatedStepTime.defaults());
    }

    public LoadServingOptions withMeasureOwnContext(boolean measure) {
        return new LoadServingOptions(budgetMax, measure, reportPrompts, stepTime);
    }

    public LoadServingOptions withBudgetMax(int tokens) {
        return new LoadServingOptions(tokens, measureOwnContext, reportPrompts, stepTime);
    }

    public LoadServingOptions withStepTime(SimulatedStepTime time) {
        return new LoadServingOptions(budgetMax, measureOwnContext, reportPrompts, time);
    }
}
