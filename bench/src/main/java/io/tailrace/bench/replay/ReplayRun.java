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
    /** A run with what it gave. */
    public record Done(ReplayRun run, ReplayResult result) {}
}
