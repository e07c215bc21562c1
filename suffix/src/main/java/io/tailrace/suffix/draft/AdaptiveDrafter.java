package io.tailrace.suffix.draft;

import io.tailrace.suffix.lane.LaneIndex;

/** The default: occurrences vote, a learned mixer decides. */
public final class AdaptiveDrafter implements Drafter {
    public AdaptiveDrafter(Mixer mixer, DraftPolicy policy) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void begin(int[] prompt, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Draft draft(LaneIndex index, int budget) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void verified(int[] tokens, int length) {
        throw new UnsupportedOperationException();
    }
}
