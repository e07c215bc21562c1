package io.tailrace.strategies;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;

/** A drafter that knows where every pattern of its request's own context ended before. */
abstract class PatternDrafter implements Drafter {
    final OwnPlaces own = new OwnPlaces();

    @Override
    public final void begin(int[] prompt, int length) {
        own.reset();
        verified(prompt, length);
    }

    @Override
    public final void verified(int[] tokens, int length) {
        for (int i = 0; i < length; i++) {
            own.append(tokens[i]);
        }
    }

    @Override
    public final Draft draft(LaneIndex index, int budget) {
        DraftPolicy.requireBudget(budget);
        return grow(index, budget);
    }

    /** The draft; the budget is within its bounds. */
    abstract Draft grow(LaneIndex index, int budget);
}
