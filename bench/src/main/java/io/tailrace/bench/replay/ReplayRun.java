package io.tailrace.bench.replay;

import io.tailrace.suffix.draft.strategy.StrategyChoice;

/**
 * One replay of one stream: what to do, before it is done.
 *
 * @param stream what is replayed
 * @param strategy who drafts
 * @param weights of its mixer; empty: those that ship with the product
 * @param budget draft tokens a verification
 * @param protocol how
 */
public record ReplayRun(
        ReplayStream stream, StrategyChoice strategy, float[] weights, int budget, ReplayProtocol protocol) {
    public ReplayRun {
        requireReplayable(strategy);
    }

    /**
     * Refuses a strategy that drafts from the model's own candidates: recorded answers do not hold them.
     *
     * @return the strategy, if it can be replayed
     */
    public static StrategyChoice requireReplayable(StrategyChoice strategy) {
        if (strategy.drafter(new float[0]).needsCandidates()) {
            throw new IllegalArgumentException(
                    "%s drafts from the model's own candidates, which recorded answers do not hold; %s:observed=true replays"
                                    .formatted(strategy.text(), strategy.text())
                            + " a stand-in: the tokens seen to follow, latest first");
        }
        return strategy;
    }

    /** A run with what it gave. */
    public record Done(ReplayRun run, ReplayResult result) {}
}
