package io.tailrace.operators.publishing;

import io.tailrace.operators.learning.RetentionCandidate;
import io.tailrace.operators.store.StoredSegment;
import java.util.HashSet;
import java.util.Set;

/** What a lane's segments, as the next announcement will name them, come to. */
final class LaneLayout {
    private final LaneState state;

    LaneLayout(LaneState state) {
        this.state = state;
    }

    long liveTokens() {
        long live = state.newest == null ? 0 : state.newest.liveTokens();
        for (LiveSegment segment : state.older) {
            live += segment.liveTokens();
        }
        return live;
    }

    int liveSegments() {
        return state.older.size() + (state.newest == null ? 0 : 1);
    }

    /** Sequence up to which every segment has tombstones applied. */
    long cleanTo() {
        long cleanTo = state.newest == null ? state.tombstonesSeen : state.newest.tombstonesApplied();
        for (LiveSegment segment : state.older) {
            cleanTo = Math.min(cleanTo, segment.tombstonesApplied());
        }
        return cleanTo;
    }

    /** True if it holds nothing that a known delete forbids. */
    boolean isClean(LiveSegment segment) {
        return segment.tombstonesApplied() >= state.tombstonesSeen;
    }

    /** True if no segment holds what a known delete forbids. */
    boolean isClean() {
        return cleanTo() >= state.tombstonesSeen;
    }

    /** Every path that the layout, the waiting level-0 segments, the retained versions and a change being judged name. */
    Set<String> referencedPaths() {
        Set<String> paths = new HashSet<>();
        state.flushes.forEach(flush -> addPaths(flush.segment(), paths));
        state.older.forEach(segment -> addPaths(segment.stored(), paths));
        addPaths(state.newest, paths);
        RetentionCandidate candidate = state.learning().retention;
        if (candidate != null && candidate.remaining() != null) {
            addPaths(candidate.remaining(), paths);
        }
        for (RetainedVersion retained : state.retained) {
            retained.older().forEach(segment -> addPaths(segment.stored(), paths));
            addPaths(retained.newest(), paths);
        }
        return paths;
    }

    private static void addPaths(LiveSegment segment, Set<String> paths) {
        if (segment != null) {
            addPaths(segment.stored(), paths);
        }
    }

    private static void addPaths(StoredSegment stored, Set<String> paths) {
        paths.add(stored.path());
        paths.add(stored.sidecarPath());
    }
}
