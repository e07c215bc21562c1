package io.tailrace.lab.replay;

import io.tailrace.suffix.strategy.Strategy;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.List;

/**
 * One replay of one stream: what to do, before it is done.
 *
 * @param stream what is replayed
 * @param strategy who drafts
 * @param weights of its mixer; empty: those that ship with the product
 * @param budget draft tokens a verification
 * @param protocol how
 * @param speculation what to simulate of a speculation cache on the side
 */
public record ReplayRun(
        ReplayStream stream,
        StrategyChoice strategy,
        float[] weights,
        int budget,
        ReplayProtocol protocol,
        SimulatedSpeculation speculation) {
    public ReplayRun {
        requireReplayable(strategy);
    }

    /** A run without a speculation cache. */
    public ReplayRun(
            ReplayStream stream, StrategyChoice strategy, float[] weights, int budget, ReplayProtocol protocol) {
        this(stream, strategy, weights, budget, protocol, SimulatedSpeculation.NONE);
    }

    /**
     * Refuses a strategy that drafts from the model's own candidates: recorded answers do not hold them.
     *
     * @return the strategy, if it can be replayed
     */
    public static StrategyChoice requireReplayable(StrategyChoice strategy) {
        if (strategy.candidatesWanted() > 0) {
            throw new IllegalArgumentException(
                    "%s drafts from the model's own candidates, which recorded answers do not hold; %s"
                            .formatted(strategy.text(), replayable(strategy)));
        }
        return strategy;
    }

    private static String replayable(StrategyChoice strategy) {
        return strategy.strategy() == Strategy.ADAPTIVE
                ? "leave candidates out: they are for served models"
                : "%s:observed=true replays a stand-in: the tokens seen to follow, latest first"
                        .formatted(strategy.text());
    }

    /**
     * A run with what it gave.
     *
     * @param speculated figures of all requests, counted or not; empty unless asked for
     */
    public record Done(ReplayRun run, ReplayResult result, List<SimulatedSpeculation.Figures> speculated) {
        public Done {
            speculated = List.copyOf(speculated);
        }
    }
}
