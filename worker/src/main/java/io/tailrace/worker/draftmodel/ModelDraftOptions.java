package io.tailrace.worker.draftmodel;

import io.tailrace.suffix.draft.DraftPolicy;

/**
 * How a draft model drafts.
 *
 * @param tokensMax longest draft
 * @param forksMax endings of a verification that drafts are prepared for while it runs; 0: none are
 */
public record ModelDraftOptions(int tokensMax, int forksMax) {
    /** Most endings: a tree of all their drafts is one pass. */
    public static final int FORKS_MAX = 64;

    public ModelDraftOptions {
        require("tokensMax", tokensMax, 1, DraftPolicy.BUDGET_MAX);
        require("forksMax", forksMax, 0, FORKS_MAX);
    }

    private static void require(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s must be in [%d, %d], got %d".formatted(name, min, max, value));
        }
    }
}
