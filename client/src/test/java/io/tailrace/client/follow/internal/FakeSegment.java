package io.tailrace.client.follow.internal;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;

/** A segment that finds nothing and knows whether it is mapped. */
final class FakeSegment implements OccurrenceIndex {
    private final long version;
    private volatile boolean closed;

    FakeSegment(long version) {
        this.version = version;
    }

    long version() {
        return version;
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
    }

    @Override
    public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
        if (closed) {
            throw new IllegalStateException("read after unmapping");
        }
        return 0;
    }
}
