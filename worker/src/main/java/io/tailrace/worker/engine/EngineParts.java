package io.tailrace.worker.engine;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.DraftTerms;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TextTokenizer;
import java.util.Objects;
import java.util.function.Function;

/**
 * What an engine is made of.
 *
 * @param model used by the decode thread only, from its start on; not closed by the engine
 * @param tokenizer for stop texts
 * @param endTokens token ids that end an answer
 * @param drafts its source is closed with the engine
 * @param terms what a scope's policy says of drafting
 * @param budget the decode thread's own
 * @param listener told of steps and answers
 */
public record EngineParts(
        TargetModel model,
        TextTokenizer tokenizer,
        int[] endTokens,
        EngineDrafts drafts,
        Function<String, DraftTerms> terms,
        BudgetChoice budget,
        EngineListener listener) {
    public EngineParts {
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(tokenizer, "tokenizer");
        Objects.requireNonNull(drafts, "drafts");
        Objects.requireNonNull(terms, "terms");
        Objects.requireNonNull(budget, "budget");
        Objects.requireNonNull(listener, "listener");
        endTokens = endTokens.clone();
    }

    /** Parts of an engine without policies. */
    public EngineParts(
            TargetModel model,
            TextTokenizer tokenizer,
            int[] endTokens,
            DraftSource drafts,
            BudgetChoice budget,
            EngineListener listener) {
        this(model, tokenizer, endTokens, EngineDrafts.of(drafts), scope -> DraftTerms.NONE, budget, listener);
    }
}
