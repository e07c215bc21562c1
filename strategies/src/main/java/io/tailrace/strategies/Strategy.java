package io.tailrace.strategies;

import io.tailrace.strategies.pattern.SamDecodingDrafter;
import io.tailrace.strategies.pattern.SamDecodingSettings;
import io.tailrace.strategies.pattern.SuffixDecodingDrafter;
import io.tailrace.strategies.pattern.SuffixDecodingSettings;
import io.tailrace.strategies.recycling.TokenRecyclingDrafter;
import io.tailrace.strategies.recycling.TokenRecyclingSettings;
import io.tailrace.suffix.candidates.AdjacencyMatrix;
import io.tailrace.suffix.candidates.TargetRows;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Every drafting strategy by name, each a maker of fresh drafters. */
public enum Strategy {
    ADAPTIVE(
            "adaptive",
            "the default: occurrences vote, a learned mixer decides; candidates=N, for served models: so do the model's own",
            Probabilities.CALIBRATED,
            "floor",
            "tree",
            "own",
            "candidates") {
        @Override
        Drafter make(StrategySettings settings) {
            DraftPolicy defaults = DraftPolicy.defaults();
            float floor = (float) settings.number("floor", defaults.probabilityFloor(), 0, 1);
            Mixer mixer = settings.weights().length == 0 ? Mixer.defaults() : Mixer.of(settings.weights());
            AdaptiveDrafter drafter = new AdaptiveDrafter(
                    mixer,
                    new DraftPolicy(true, DraftPolicy.BUDGET_MAX, floor, defaults.weightsLayout(), defaults.weights()),
                    settings.flag("tree", true),
                    settings.flag("own", true));
            int candidates = settings.integer("candidates", 0, 0, TargetRows.CANDIDATES_MAX);
            return candidates == 0 ? drafter : drafter.with(new TargetRows(candidates));
        }
    },
    NONE("none", "plain decoding", Probabilities.NONE) {
        @Override
        Drafter make(StrategySettings settings) {
            return new NoDrafter();
        }
    },
    PROMPT_LOOKUP(
            "prompt-lookup",
            "Prompt Lookup Decoding: copies what followed the context's last tokens earlier in the context",
            Probabilities.NONE,
            "ngram",
            "tokens",
            "whole") {
        @Override
        Drafter make(StrategySettings settings) {
            PromptLookupSettings published = PromptLookupSettings.published();
            return new PromptLookupDrafter(new PromptLookupSettings(
                    settings.integer("ngram", published.ngramMax(), 1, 64),
                    settings.integer("tokens", published.draftTokens(), 1, DraftPolicy.BUDGET_MAX),
                    settings.flag("whole", published.whole())));
        }
    },
    TOKEN_RECYCLING(
            "token-recycling",
            "Token Recycling: a tree of the model's own candidates; observed=true: of observed successors, for replays",
            Probabilities.SCORES,
            "candidates",
            "observed") {
        @Override
        Drafter make(StrategySettings settings) {
            TokenRecyclingSettings published = TokenRecyclingSettings.published();
            TokenRecyclingSettings chosen = new TokenRecyclingSettings(
                    settings.integer("candidates", published.candidatesMax(), 1, published.candidatesMax()),
                    settings.flag("observed", published.observed()));
            return new TokenRecyclingDrafter(chosen, new AdjacencyMatrix(chosen.candidatesMax()));
        }
    },
    SUFFIX_DECODING(
            "suffix-decoding",
            "SuffixDecoding: grows what the counts of a suffix tree say, from the pattern that scores best",
            Probabilities.SCORES,
            "depth",
            "factor",
            "offset",
            "probability",
            "tree",
            "first-found",
            "occurrences") {
        @Override
        Drafter make(StrategySettings settings) {
            SuffixDecodingSettings published = SuffixDecodingSettings.published();
            return new SuffixDecodingDrafter(new SuffixDecodingSettings(
                    settings.integer("depth", published.depthMax(), 2, SuffixDecodingSettings.DEPTH_LIMIT),
                    (float) settings.number("factor", published.specFactor(), 0, 1e6),
                    (float) settings.number("offset", published.specOffset(), -1e6, 1e6),
                    (float) settings.number("probability", published.pathProbabilityMin(), 0, 1),
                    settings.flag("tree", published.tree()),
                    settings.flag("first-found", published.firstFoundFirst()),
                    settings.integer("occurrences", published.occurrencesMax(), 1, SuffixDecodingSettings.ALL)));
        }
    },
    SAM_DECODING(
            "sam-decoding",
            "SAM-Decoding: copies what followed the longest match, in the context or in the lane",
            Probabilities.SCORES,
            "bias",
            "threshold",
            "tokens",
            "per-matched",
            "tree",
            "successors") {
        @Override
        Drafter make(StrategySettings settings) {
            SamDecodingSettings published = SamDecodingSettings.published();
            return new SamDecodingDrafter(new SamDecodingSettings(
                    settings.integer("bias", published.lengthBias(), 0, 1 << 20),
                    settings.integer("threshold", published.lengthThreshold(), 0, 1 << 20),
                    settings.integer("tokens", published.draftTokens(), 1, DraftPolicy.BUDGET_MAX),
                    (float) settings.number("per-matched", published.tokensPerMatched(), 0, 1e6),
                    settings.flag("tree", published.tree()),
                    settings.integer("successors", published.successorsMax(), 1, 1 << 20)));
        }
    };

    /** What the numbers at a draft's nodes mean. */
    public enum Probabilities {
        /** Estimates of the probability that the path is right; a reliability table makes sense. */
        CALIBRATED,
        /** Scores between 0 and 1 that order nodes and promise no more. */
        SCORES,
        /** Nothing. */
        NONE
    }

    private final String label;
    private final String description;
    private final Probabilities probabilities;
    private final String parameters;

    Strategy(String label, String description, Probabilities probabilities, String... parameters) {
        this.label = label;
        this.description = description;
        this.probabilities = probabilities;
        this.parameters = String.join(",", parameters);
    }

    /** The name in options, reports and documents. */
    public String label() {
        return label;
    }

    /** One line for people. */
    public String description() {
        return description;
    }

    /** What the numbers at its nodes mean. */
    public Probabilities probabilities() {
        return probabilities;
    }

    /** Names of the parameters its settings may hold. */
    public List<String> parameters() {
        return parameters.isEmpty() ? List.of() : List.of(parameters.split(",", -1));
    }

    /**
     * A drafter that has seen nothing.
     *
     * @throws IllegalArgumentException for a parameter that this strategy does not know, or a value out of its bounds
     */
    public Drafter drafter(StrategySettings settings) {
        for (String name : settings.parameters().keySet()) {
            if (!parameters().contains(name)) {
                throw new IllegalArgumentException("strategy %s has no parameter %s; it has %s"
                        .formatted(label, name, parameters.isEmpty() ? "none" : parameters.replace(",", ", ")));
            }
        }
        return make(settings);
    }

    abstract Drafter make(StrategySettings settings);

    /** The strategy of this name. */
    public static Strategy named(String label) {
        return Arrays.stream(values())
                .filter(strategy -> strategy.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no strategy is named %s; there are %s".formatted(label, labels())));
    }

    /** All names, separated by commas. */
    public static String labels() {
        return Arrays.stream(values()).map(Strategy::label).collect(Collectors.joining(", "));
    }
}
