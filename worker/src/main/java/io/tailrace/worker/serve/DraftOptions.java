package io.tailrace.worker.serve;

import io.tailrace.strategies.Strategy;
import io.tailrace.strategies.StrategyChoice;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;

/**
 * What drafts, and how much of it is verified.
 *
 * @param strategy name of the strategy, with its parameters
 * @param measured verify as much as pays by measured step times; false: always the whole budget
 */
public record DraftOptions(String strategy, boolean measured) {
    /** They draft from a request's own context, from the model's candidates, or with a model. */
    private static final Set<String> WITHOUT_ANSWERS = Set.of(
            Strategy.NONE.label(),
            Strategy.PROMPT_LOOKUP.label(),
            Strategy.TOKEN_RECYCLING.label(),
            ServedChoice.DRAFT_MODEL);

    public DraftOptions {
        Objects.requireNonNull(strategy, "strategy");
    }

    /** Whether anything is drafted. */
    public boolean drafts() {
        return !name().equals(Strategy.NONE.label());
    }

    /** Whether it drafts from what was answered, so that snapshots and fresh answers are of use. */
    public boolean fromAnswers() {
        return !WITHOUT_ANSWERS.contains(name());
    }

    private String name() {
        return strategy.split(":", 2)[0];
    }

    /**
     * Whether there is such a strategy with such parameters, as far as that can be told without the model.
     *
     * @throws IllegalArgumentException if not
     */
    public void check() {
        String name = name();
        if (ServedChoice.isServedOnly(strategy)) {
            ServedChoice.parse(strategy, Integer.MAX_VALUE);
        } else if (Arrays.stream(Strategy.values())
                .noneMatch(known -> known.label().equals(name))) {
            throw new IllegalArgumentException("no strategy is named %s; there are %s, %s, %s"
                    .formatted(name, Strategy.labels(), ServedChoice.DRAFT_MODEL, ServedChoice.HYBRID));
        } else {
            StrategyChoice.parse(strategy);
        }
    }

    /** {@code adaptive}, as much as pays. */
    public static DraftOptions defaults() {
        return new DraftOptions("adaptive", true);
    }
}
