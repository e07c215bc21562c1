package io.tailrace.strategies;

import io.tailrace.suffix.draft.DraftPolicy;

/**
 * What prompt lookup lets one choose.
 *
 * @param ngramMax longest n to look for, at least 1
 * @param draftTokens length of a draft where the budget allows it, 1 to {@link DraftPolicy#BUDGET_MAX}
 * @param whole a place counts only if the whole draft follows it, and before the n-gram itself begins; false: one token is enough
 */
public record PromptLookupSettings(int ngramMax, int draftTokens, boolean whole) {
    public PromptLookupSettings {
        if (ngramMax < 1 || draftTokens < 1 || draftTokens > DraftPolicy.BUDGET_MAX) {
            throw new IllegalArgumentException("ngramMax must be >= 1 and draftTokens in [1, " + DraftPolicy.BUDGET_MAX
                    + "], got " + ngramMax + " and " + draftTokens);
        }
    }

    /** The published function: n up to 3, 10 tokens, whole continuations. */
    public static PromptLookupSettings published() {
        return new PromptLookupSettings(3, 10, true);
    }
}
