package io.tailrace.operators.publishing;

import io.tailrace.operators.control.Tombstone;
import java.util.ArrayList;
import java.util.List;

/**
 * The promise on deletes: within {@code deleteMillisMax} of being heard of, a delete is done in every version that is announced and not withdrawn. As a rule the
 * segments that hold what it forbids are rewritten within seconds. What cannot be rewritten by then, because the store fails or merges take too long, is left
 * out of the announced version until it is: the lane drafts worse for a while, and holds nothing it should not.
 */
final class DeleteBound {
    /** Work that is not pressing goes first while a delete has waited for less than this part of its time. */
    private static final int PARTS = 4;

    private final LaneState state;
    private final long deleteMillisMax;

    DeleteBound(LaneState state, PublishingOptions options) {
        this.state = state;
        this.deleteMillisMax = options.deleteMillisMax();
    }

    /** True if the version announced last holds what a delete forbids whose time is over: another must be announced, whatever is left out. */
    boolean isReached(long nowMillis) {
        return !state.retained.isEmpty()
                && state.retained.get(state.retained.size() - 1).tombstonesApplied() < dueTo(nowMillis);
    }

    /** The next version: the lane's segments, but for those that hold what must not be held any more. */
    RetainedVersion announced(long nowMillis) {
        long least = Math.max(dueTo(nowMillis), state.holdForTombstones);
        List<LiveSegment> older = new ArrayList<>(state.older);
        older.removeIf(segment -> segment.tombstonesApplied() < least);
        boolean withNewest = state.newest != null && state.newest.tombstonesApplied() >= least;
        LiveSegment newest = withNewest ? state.newest : null;
        long applied = newest == null ? state.tombstonesSeen : newest.tombstonesApplied();
        for (LiveSegment segment : older) {
            applied = Math.min(applied, segment.tombstonesApplied());
        }
        return new RetainedVersion(state.version, List.copyOf(older), newest, applied, false);
    }

    /** True if a delete has waited for so long that rewriting this segment goes before other work. */
    boolean isPressing(LiveSegment segment, long nowMillis) {
        long waited = deleteMillisMax / PARTS;
        return state.tombstones.stream()
                .anyMatch(tombstone -> tombstone.sequence() > segment.tombstonesApplied()
                        && nowMillis - tombstone.waitsSince() >= waited);
    }

    /** Every delete that was issued by then is done where those up to {@code sequence} are, epoch milliseconds; 0: none is known. */
    long issuedTo(long sequence) {
        long to = state.tombstonesForgottenTo;
        for (Tombstone tombstone : state.tombstones) {
            to = Math.max(to, tombstone.issuedAt());
        }
        for (Tombstone tombstone : state.tombstones) {
            to = tombstone.sequence() > sequence ? Math.min(to, tombstone.issuedAt() - 1) : to;
        }
        return to;
    }

    /** Sequence of the last delete whose time is over; 0: none. */
    private long dueTo(long nowMillis) {
        return state.tombstones.stream()
                .filter(tombstone -> nowMillis - tombstone.waitsSince() >= deleteMillisMax)
                .mapToLong(Tombstone::sequence)
                .max()
                .orElse(0);
    }
}
