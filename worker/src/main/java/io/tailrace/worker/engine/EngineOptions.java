package io.tailrace.worker.engine;

import io.tailrace.suffix.draft.DraftPolicy;

/**
 * Limits of the decode loop.
 *
 * @param batchMax requests decoded at once
 * @param queuedMax requests that wait; more are refused
 * @param promptTokensMax longest prompt; 0: whatever leaves room for one token in the context
 * @param outputTokensMax longest answer, and what is given to requests that ask for no length; 0: as there is room for, and to
 *     those each place's share of the cache
 * @param prefillTokensMax prompt tokens a step, over all requests
 * @param budgetMax most draft tokens a request and step, 0 to 64; 0: no drafts
 */
public record EngineOptions(
        int batchMax, int queuedMax, int promptTokensMax, int outputTokensMax, int prefillTokensMax, int budgetMax) {
    public EngineOptions {
        atLeast("batchMax", 1, batchMax);
        atLeast("queuedMax", 0, queuedMax);
        atLeast("promptTokensMax", 0, promptTokensMax);
        atLeast("outputTokensMax", 0, outputTokensMax);
        atLeast("prefillTokensMax", 1, prefillTokensMax);
        atLeast("budgetMax", 0, budgetMax);
        if (budgetMax > DraftPolicy.BUDGET_MAX) {
            throw new IllegalArgumentException(
                    "budgetMax must be at most %d, got %d".formatted(DraftPolicy.BUDGET_MAX, budgetMax));
        }
    }

    /** 8 at once, 64 queued, lengths as the context allows, 256 prompt tokens a step, budget 16. */
    public static EngineOptions defaults() {
        return new EngineOptions(8, 64, 0, 0, 256, 16);
    }

    public EngineOptions withBatchMax(int requests) {
        return new EngineOptions(requests, queuedMax, promptTokensMax, outputTokensMax, prefillTokensMax, budgetMax);
    }

    public EngineOptions withQueuedMax(int requests) {
        return new EngineOptions(batchMax, requests, promptTokensMax, outputTokensMax, prefillTokensMax, budgetMax);
    }

    public EngineOptions withBudgetMax(int tokens) {
        return new EngineOptions(batchMax, queuedMax, promptTokensMax, outputTokensMax, prefillTokensMax, tokens);
    }

    public EngineOptions withPrefillTokensMax(int tokens) {
        return new EngineOptions(batchMax, queuedMax, promptTokensMax, outputTokensMax, tokens, budgetMax);
    }

    public EngineOptions withLengths(int promptTokens, int outputTokens) {
        return new EngineOptions(batchMax, queuedMax, promptTokens, outputTokens, prefillTokensMax, budgetMax);
    }

    private static void atLeast(String name, int least, int got) {
        if (got < least) {
            throw new IllegalArgumentException("%s must be at least %d, got %d".formatted(name, least, got));
        }
    }
}
