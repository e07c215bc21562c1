package io.tailrace.strategies;

import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.TargetRows;
import io.tailrace.suffix.strategy.CandidateStrategy;
import io.tailrace.suffix.strategy.StrategySettings;
import java.util.List;

/** {@code token-recycling}, see {@link TokenRecyclingDrafter}. */
public final class TokenRecycling implements CandidateStrategy {
    @Override
    public String name() {
        return "token-recycling";
    }

    @Override
    public String description() {
        return "Token Recycling: a tree of the model's own candidates; observed=true: of observed successors, for replays";
    }

    @Override
    public Probabilities probabilities() {
        return Probabilities.SCORES;
    }

    @Override
    public List<String> parameters() {
        return List.of("candidates", "observed");
    }

    @Override
    public boolean fromAnswers() {
        return false;
    }

    @Override
    public int candidatesWanted(StrategySettings settings) {
        Settings chosen = chosen(settings);
        return chosen.observed() ? 0 : chosen.candidatesMax();
    }

    @Override
    public TargetRows rows(StrategySettings settings) {
        return TargetRows.unbounded(chosen(settings).candidatesMax());
    }

    @Override
    public Drafter drafter(StrategySettings settings, TargetRows rows) {
        return new TokenRecyclingDrafter(chosen(settings), rows);
    }

    private static Settings chosen(StrategySettings settings) {
        Settings published = Settings.published();
        return new Settings(
                settings.integer("candidates", published.candidatesMax(), 1, published.candidatesMax()),
                settings.flag("observed", published.observed()));
    }

    /**
     * What Token Recycling lets one choose.
     *
     * @param candidatesMax k: candidates kept for each token, 1 to {@link TreeTemplate#WIDTH}
     * @param observed the stand-in for replays, which know no candidates: the tokens that followed a token in prompts and answers,
     *     latest first. Not the published method: the model's second choices, which it lives from, are not among them until they
     *     were said
     */
    public record Settings(int candidatesMax, boolean observed) {
        public Settings {
            if (candidatesMax < 1 || candidatesMax > TreeTemplate.WIDTH) {
                throw new IllegalArgumentException(
                        "candidatesMax must be in [1, " + TreeTemplate.WIDTH + "], got " + candidatesMax);
            }
        }

        /** As published: the model's 8 likeliest tokens. */
        public static Settings published() {
            return new Settings(8, false);
        }
    }
}
