package io.tailrace.strategies;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.strategy.Strategy;
import io.tailrace.suffix.strategy.StrategySettings;
import java.util.List;

/** {@code prompt-lookup}, see {@link PromptLookupDrafter}. */
public final class PromptLookup implements Strategy {
    @Override
    public String name() {
        return "prompt-lookup";
    }

    @Override
    public String description() {
        return "Prompt Lookup Decoding: copies what followed the context's last tokens earlier in the context";
    }

    @Override
    public Probabilities probabilities() {
        return Probabilities.NONE;
    }

    @Override
    public List<String> parameters() {
        return List.of("ngram", "tokens", "whole");
    }

    @Override
    public boolean fromAnswers() {
        return false;
    }

    @Override
    public Drafter drafter(StrategySettings settings) {
        Settings published = Settings.published();
        return new PromptLookupDrafter(new Settings(
                settings.integer("ngram", published.ngramMax(), 1, 64),
                settings.integer("tokens", published.draftTokens(), 1, DraftPolicy.BUDGET_MAX),
                settings.flag("whole", published.whole())));
    }

    /**
     * What prompt lookup lets one choose.
     *
     * @param ngramMax longest n to look for, at least 1
     * @param draftTokens length of a draft where the budget allows it, 1 to {@link DraftPolicy#BUDGET_MAX}
     * @param whole a place counts only if the whole draft follows it, and before the n-gram itself begins; false: one token is enough
     */
    public record Settings(int ngramMax, int draftTokens, boolean whole) {
        public Settings {
            if (ngramMax < 1 || draftTokens < 1 || draftTokens > DraftPolicy.BUDGET_MAX) {
                throw new IllegalArgumentException("ngramMax must be >= 1 and draftTokens in [1, "
                        + DraftPolicy.BUDGET_MAX + "], got " + ngramMax + " and " + draftTokens);
            }
        }

        /** The published function: n up to 3, 10 tokens, whole continuations. */
        public static Settings published() {
            return new Settings(3, 10, true);
        }
    }
}
