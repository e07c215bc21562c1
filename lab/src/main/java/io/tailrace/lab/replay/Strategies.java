package io.tailrace.lab.replay;

import io.tailrace.suffix.strategy.StrategyChoice;
import io.tailrace.terminal.BadInputException;
import java.util.List;

/** What options {@code --strategy} name. */
public final class Strategies {
    private Strategies() {}

    /** One strategy, or {@link BadInputException}. */
    public static StrategyChoice parse(String text) {
        try {
            return StrategyChoice.parse(text);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--strategy: " + e.getMessage(), e);
        }
    }

    /** Several, each of which can draft in a replay. */
    public static List<StrategyChoice> replayable(List<String> texts) {
        return texts.stream().map(Strategies::replayable).toList();
    }

    private static StrategyChoice replayable(String text) {
        try {
            return ReplayRun.requireReplayable(parse(text));
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--strategy: " + e.getMessage(), e);
        }
    }
}
