package io.tailrace.strategies;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.lane.LaneIndex;

/** {@code none}: plain decoding, one token a step. What every other strategy is measured against. */
public final class NoDrafter implements Drafter {
    private final DraftTree empty = new DraftTree();

    @Override
    public void begin(int[] prompt, int length) {
        // There is nothing to remember: no draft depends on the context.
    }

    @Override
    public Draft draft(LaneIndex index, int budget) {
        return empty;
    }

    @Override
    public void verified(int[] tokens, int length) {
        // As in begin.
    }
}
