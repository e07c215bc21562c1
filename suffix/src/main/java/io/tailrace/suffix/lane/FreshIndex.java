package io.tailrace.suffix.lane;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;

/**
 * In-memory index over the newest generations of one worker, searchable the moment one is added. One thread adds; any
 * number search meanwhile.
 */
public final class FreshIndex implements OccurrenceIndex {
    /**
     * An empty index.
     *
     * @param tokensMax oldest generations are dropped above it
     */
    public FreshIndex(int tokensMax) {
        throw new UnsupportedOperationException();
    }

    public void add(int[] tokens, long completedAtMillis) {
        throw new UnsupportedOperationException();
    }

    /** Drops the generations completed at or before this time: a snapshot holds them now. */
    public void dropCompletedUntil(long millis) {
        throw new UnsupportedOperationException();
    }

    public long tokens() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
        throw new UnsupportedOperationException();
    }
}
