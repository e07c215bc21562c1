package io.tailrace.strategies;

import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.strategy.Strategy;
import io.tailrace.suffix.strategy.StrategySettings;
import java.util.List;

/** {@code suffix-decoding}, see {@link SuffixDecodingDrafter}. */
public final class SuffixDecoding implements Strategy {
    @Override
    public String name() {
        return "suffix-decoding";
    }

    @Override
    public String description() {
        return "SuffixDecoding: grows what the counts of a suffix tree say, from the pattern that scores best";
    }

    @Override
    public Probabilities probabilities() {
        return Probabilities.SCORES;
    }

    @Override
    public List<String> parameters() {
        return List.of("depth", "factor", "offset", "probability", "tree", "first-found", "occurrences");
    }

    @Override
    public boolean fromAnswers() {
        return true;
    }

    @Override
    public Drafter drafter(StrategySettings settings) {
        Settings published = Settings.published();
        return new SuffixDecodingDrafter(new Settings(
                settings.integer("depth", published.depthMax(), 2, Settings.DEPTH_LIMIT),
                (float) settings.number("factor", published.specFactor(), 0, 1e6),
                (float) settings.number("offset", published.specOffset(), -1e6, 1e6),
                (float) settings.number("probability", published.pathProbabilityMin(), 0, 1),
                settings.flag("tree", published.tree()),
                settings.flag("first-found", published.firstFoundFirst()),
                settings.integer("occurrences", published.occurrencesMax(), 1, Settings.ALL)));
    }

    /**
     * What SuffixDecoding lets one choose.
     *
     * @param depthMax longest string its trees hold: pattern and continuation together, 2 to {@value #DEPTH_LIMIT}
     * @param specFactor alpha of MAX_SPEC(p) = alpha p: so many tokens are drafted for each token of the pattern (section 4.3)
     * @param specOffset tokens added to that
     * @param pathProbabilityMin no node whose path is less likely by the counts is drafted, 0 to 1
     * @param tree a tree of tokens, or only the likeliest path
     * @param firstFoundFirst of equally likely paths the one found first is drafted first, so that none of them goes deep before
     *     the others; false: as the published heap happens to have them
     * @param occurrencesMax most occurrences read of each sorted part of the lane; where the last token has more there, those that
     *     match longest stand for all, so that counts of the shortest patterns are of these only
     */
    public record Settings(
            int depthMax,
            float specFactor,
            float specOffset,
            float pathProbabilityMin,
            boolean tree,
            boolean firstFoundFirst,
            int occurrencesMax) {
        /** Depth of the published trees, and as far as an index compares. */
        public static final int DEPTH_LIMIT = 64;

        /** Every occurrence is read: all counts are exact. */
        public static final int ALL = Integer.MAX_VALUE;

        public Settings {
            require(depthMax >= 2 && depthMax <= DEPTH_LIMIT, "depthMax must be in [2, " + DEPTH_LIMIT + "]", depthMax);
            require(specFactor >= 0, "specFactor must be >= 0", specFactor);
            require(!Float.isNaN(specOffset), "specOffset must be a number", specOffset);
            require(
                    pathProbabilityMin >= 0 && pathProbabilityMin <= 1,
                    "pathProbabilityMin must be in [0, 1]",
                    pathProbabilityMin);
            require(occurrencesMax >= 1, "occurrencesMax must be >= 1", occurrencesMax);
        }

        /** As published: trees 64 deep, one drafted token a matched one, probability 0.1, one path. */
        public static Settings published() {
            return new Settings(64, 1, 0, 0.1f, false, false, ALL);
        }

        /** Published method at its best for an equal budget: a tree, probability 0.02, no limit by the pattern's length. */
        public static Settings best() {
            return new Settings(64, 1000, 0, 0.02f, true, false, ALL);
        }

        /** MAX_SPEC of a pattern of so many tokens, at most the budget. */
        int tokensMax(int patternLength, int budget) {
            int byPattern = (int) (patternLength * specFactor + specOffset + 1e-6);
            return Math.max(0, Math.min(budget, byPattern));
        }

        private static void require(boolean holds, String rule, Object value) {
            if (!holds) {
                throw new IllegalArgumentException(rule + ", got " + value);
            }
        }
    }
}
