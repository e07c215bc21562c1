package io.tailrace.suffix.strategy;

import io.tailrace.suffix.draft.Drafter;
import java.util.List;

/**
 * A way to draft, by name: a maker of fresh drafters. The product's own are {@link #ADAPTIVE} and {@link #NONE}; others are what {@link
 * java.util.ServiceLoader} finds of this type.
 */
public interface Strategy {
    /** The default: occurrences vote, a learned mixer decides. */
    CandidateStrategy ADAPTIVE = new AdaptiveStrategy();

    /** Plain decoding. */
    Strategy NONE = new PlainStrategy();

    /** What the numbers at a draft's nodes mean. */
    enum Probabilities {
        /** Estimates of the probability that the path is right; a reliability table makes sense. */
        CALIBRATED,
        /** Scores between 0 and 1 that order nodes and promise no more. */
        SCORES,
        /** Nothing. */
        NONE
    }

    /** The name in options, reports and documents: lower-case letters and hyphens. */
    String name();

    /** One line for people. */
    String description();

    /** What the numbers at its nodes mean. */
    Probabilities probabilities();

    /** Names of the parameters its settings may hold. */
    List<String> parameters();

    /** Whether it drafts from what was answered before, so that snapshots and fresh answers are of use. */
    boolean fromAnswers();

    /**
     * A drafter that has seen nothing.
     *
     * @throws IllegalArgumentException for a value out of its bounds
     */
    Drafter drafter(StrategySettings settings);

    /** Every strategy there is, the product's own first. */
    static List<Strategy> all() {
        return KnownStrategies.ALL;
    }

    /**
     * The strategy of this name.
     *
     * @throws IllegalArgumentException if there is none; it lists those there are
     */
    static Strategy named(String name) {
        return KnownStrategies.named(name);
    }

    /** All names, separated by commas. */
    static String names() {
        return KnownStrategies.names();
    }
}
