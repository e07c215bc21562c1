package io.tailrace.suffix.draft.strategy;

import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Every drafting strategy by name, each a maker of fresh drafters. */
public enum Strategy {
    ADAPTIVE("adaptive", "the default: occurrences vote, a learned mixer decides", Probabilities.CALIBRATED, "floor") {
        @Override
        Drafter make(StrategySettings settings) {
            DraftPolicy defaults = DraftPolicy.defaults();
            float floor = (float) settings.number("floor", defaults.probabilityFloor(), 0, 1);
            Mixer mixer = settings.weights().length == 0 ? Mixer.defaults() : Mixer.of(settings.weights());
            return new AdaptiveDrafter(
                    mixer,
                    new DraftPolicy(true, DraftPolicy.BUDGET_MAX, floor, defaults.weightsLayout(), defaults.weights()));
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
            "tokens") {
        @Override
        Drafter make(StrategySettings settings) {
            return new PromptLookupDrafter(
                    settings.integer("ngram", PromptLookupDrafter.NGRAM_MAX_PUBLISHED, 1, 64),
                    settings.integer("tokens", PromptLookupDrafter.DRAFT_TOKENS_PUBLISHED, 1, DraftPolicy.BUDGET_MAX));
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
