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
        Listener listener) {
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
            Listener listener) {
        this(model, tokenizer, endTokens, EngineDrafts.of(drafts), scope -> DraftTerms.NONE, budget, listener);
    }

    /** Watches an engine. Called by the decode thread: must be quick and never block. */
    public interface Listener {
        Listener NONE = new Listener() {};

        /**
         * A step was made.
         *
         * @param batch requests in it
         * @param tokens tokens of its pass: pieces of prompts, last tokens, drafts
         * @param nanos its time, drafting not included
         * @param draftNanos time of drafting for it
         */
        default void stepped(int batch, int tokens, long nanos, long draftNanos) {}

        /** An answer has ended, or was cancelled; before its sink is told. */
        default void finished(Answer answer) {}
    }
}
