package io.tailrace.suffix.strategy;

import io.tailrace.suffix.draft.Drafter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A strategy with its parameters, as people write it: {@code NAME[:PARAMETER=VALUE]...}, for example
 * {@code prompt-lookup:ngram=2:tokens=5}.
 *
 * @param text as it was written; the name in reports
 * @param strategy which
 * @param parameters those that differ from their defaults; each is one of the strategy's
 */
public record StrategyChoice(String text, Strategy strategy, Map<String, String> parameters) {
    public StrategyChoice {
        parameters = Map.copyOf(parameters);
        for (String name : parameters.keySet()) {
            if (!strategy.parameters().contains(name)) {
                throw new IllegalArgumentException("strategy %s has no parameter %s; it has %s"
                        .formatted(
                                strategy.name(),
                                name,
                                strategy.parameters().isEmpty() ? "none" : String.join(", ", strategy.parameters())));
            }
        }
    }

    /**
     * Reads a choice and tries it.
     *
     * @throws IllegalArgumentException if there is no such strategy or parameter, or a value is out of its bounds
     */
    public static StrategyChoice parse(String text) {
        String[] parts = text.split(":", -1);
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", 2);
            if (pair.length < 2 || parameters.put(pair[0], pair[1]) != null) {
                throw new IllegalArgumentException(
                        "strategy %s: write NAME:PARAMETER=VALUE:..., each parameter once, got %s"
                                .formatted(text, parts[i]));
            }
        }
        StrategyChoice choice = new StrategyChoice(text, Strategy.named(parts[0]), parameters);
        choice.drafter(new float[0]);
        return choice;
    }

    /**
     * A drafter that has seen nothing.
     *
     * @param weights of the mixer; empty: those that ship with the product
     */
    public Drafter drafter(float[] weights) {
        return strategy.drafter(settings(weights));
    }

    /** How many of the target's likeliest tokens after each token its drafters want to be told; 0: they look at texts only. */
    public int candidatesWanted() {
        return strategy instanceof CandidateStrategy told ? told.candidatesWanted(settings(new float[0])) : 0;
    }

    /**
     * What a drafter is made from.
     *
     * @param weights of the mixer; empty: those that ship with the product
     */
    public StrategySettings settings(float[] weights) {
        return new StrategySettings(weights, parameters);
    }
}
