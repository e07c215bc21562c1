package io.tailrace.operators.publishing;

import io.tailrace.operators.store.StoredSegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * An announced version that can be gone back to.
 *
 * @param epoch of the job that announced it
 * @param older oldest first
 * @param newest null if the version has none
 * @param tombstonesApplied the least of its segments'
 * @param pinned kept whatever retention says; a delete drops it nevertheless
 */
public record RetainedVersion(
        long version, long epoch, List<LiveSegment> older, LiveSegment newest, long tombstonesApplied, boolean pinned) {
    RetainedVersion withPinned(boolean now) {
        return new RetainedVersion(version, epoch, older, newest, tombstonesApplied, now);
    }

    Stream<StoredSegment> segments() {
        return Stream.concat(older.stream(), Stream.ofNullable(newest)).map(LiveSegment::stored);
    }

    long liveTokens() {
        long live = newest == null ? 0 : newest.liveTokens();
        for (LiveSegment segment : older) {
            live += segment.liveTokens();
        }
        return live;
    }
}
