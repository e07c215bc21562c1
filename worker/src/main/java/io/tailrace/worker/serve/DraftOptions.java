package io.tailrace.worker.serve;

import io.tailrace.suffix.strategy.Strategy;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.Objects;

/**
 * What drafts, and how much of it is verified.
 *
 * @param strategy name of the strategy, with its parameters
 * @param measured verify as much as pays by measured step times; false: always the whole budget
 */
public record DraftOptions(String strategy, boolean measured) {
    public DraftOptions {
        Objects.requireNonNull(strategy, "strategy");
    }

    /** Whether anything is drafted. */
    public boolean drafts() {
        return !name().equals(Strategy.NONE.name());
    }

    /** Whether it drafts from what was answered, so that snapshots and fresh answers are of use. */
    public boolean fromAnswers() {
        return ServedChoice.isServedOnly(strategy)
                ? !name().equals(ServedChoice.DRAFT_MODEL)
                : Strategy.named(name()).fromAnswers();
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
        } else if (Strategy.all().stream().noneMatch(known -> known.name().equals(name))) {
            throw new IllegalArgumentException("no strategy is named %s; there are %s, %s, %s"
                    .formatted(name, Strategy.names(), ServedChoice.DRAFT_MODEL, ServedChoice.HYBRID));
        } else {
            StrategyChoice.parse(strategy);
        }
    }

    /** {@code adaptive}, as much as pays. */
    public static DraftOptions defaults() {
        return new DraftOptions("adaptive", true);
    }
}
