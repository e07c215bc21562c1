package io.tailrace.strategies;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.strategy.Strategy;
import io.tailrace.suffix.strategy.StrategySettings;
import java.util.List;

/** {@code sam-decoding}, see {@link SamDecodingDrafter}. */
public final class SamDecoding implements Strategy {
    @Override
    public String name() {
        return "sam-decoding";
    }

    @Override
    public String description() {
        return "SAM-Decoding: copies what followed the longest match, in the context or in the lane";
    }

    @Override
    public Probabilities probabilities() {
        return Probabilities.SCORES;
    }

    @Override
    public List<String> parameters() {
        return List.of("bias", "threshold", "tokens", "per-matched", "tree", "successors");
    }

    @Override
    public boolean fromAnswers() {
        return true;
    }

    @Override
    public Drafter drafter(StrategySettings settings) {
        Settings published = Settings.published();
        return new SamDecodingDrafter(new Settings(
                settings.integer("bias", published.lengthBias(), 0, 1 << 20),
                settings.integer("threshold", published.lengthThreshold(), 0, 1 << 20),
                settings.integer("tokens", published.draftTokens(), 1, DraftPolicy.BUDGET_MAX),
                (float) settings.number("per-matched", published.tokensPerMatched(), 0, 1e6),
                settings.flag("tree", published.tree()),
                settings.integer("successors", published.successorsMax(), 1, 1 << 20)));
    }

    /**
     * What SAM-Decoding lets one choose.
     *
     * @param lengthBias l_bias: a match in the static automaton is taken as so many tokens shorter, at least 0
     * @param lengthThreshold l_threshold: shorter matches are left to an auxiliary method, at least 0; there is none here, so
     *     nothing is drafted
     * @param draftTokens longest draft, 1 to {@link DraftPolicy#BUDGET_MAX}
     * @param tokensPerMatched drafted tokens for each matched one at most; 0: no such limit
     * @param tree a tree of the likeliest successors, or the text behind the earliest place
     * @param successorsMax most children of a node of the tree, at least 1
     */
    public record Settings(
            int lengthBias,
            int lengthThreshold,
            int draftTokens,
            float tokensPerMatched,
            boolean tree,
            int successorsMax) {
        public Settings {
            require(lengthBias >= 0, "lengthBias must be >= 0", lengthBias);
            require(lengthThreshold >= 0, "lengthThreshold must be >= 0", lengthThreshold);
            require(
                    draftTokens >= 1 && draftTokens <= DraftPolicy.BUDGET_MAX,
                    "draftTokens must be in [1, " + DraftPolicy.BUDGET_MAX + "]",
                    draftTokens);
            require(tokensPerMatched >= 0, "tokensPerMatched must be >= 0", tokensPerMatched);
            require(successorsMax >= 1, "successorsMax must be >= 1", successorsMax);
        }

        /** As published for the method without an auxiliary one: l_bias 5, no threshold, 40 tokens in a line. */
        public static Settings published() {
            return new Settings(5, 0, 40, 0, false, 8);
        }

        /** How many tokens are drafted after a match. */
        int tokensMax(int matchLength, int budget) {
            int most = Math.min(budget, draftTokens);
            return tokensPerMatched == 0 ? most : Math.min(most, (int) (matchLength * tokensPerMatched));
        }

        private static void require(boolean holds, String rule, Object value) {
            if (!holds) {
                throw new IllegalArgumentException(rule + ", got " + value);
            }
        }
    }
}
