package io.tailrace.operators.publishing;

import io.tailrace.operators.indexing.FlushedSegment;
import io.tailrace.suffix.lane.SegmentPlanner;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which merges a lane needs now: the fold of level-0 segments into the newest one, rewrites that deletes and age ask for, trims
 * to the budget, and merges of older neighbours ({@link SegmentPlanner}). Changes nothing: a plan that is lost in a failure is
 * simply made again.
 */
final class MergePlanning {
    static final int FLUSHES_PER_FOLD_MAX = 512;
    /** Segments are rewritten this often within the time that generations live, to drop those past it. */
    private static final int REWRITES_PER_AGE = 8;

    private final LaneState state;
    private final PublishingOptions options;
    private final LaneLayout layout;
    private final GenerationRetention retention;
    private final AnnouncementCadence cadence;
    private final SegmentPlanner planner;

    MergePlanning(LaneState state, PublishingOptions options) {
        this.state = state;
        this.options = options;
        this.layout = new LaneLayout(state);
        this.retention = new GenerationRetention(state, options);
        this.cadence = new AnnouncementCadence(state, options.announceMillis());
        this.planner = new SegmentPlanner(options.newestTokensMax(), options.newestAgeMillisMax());
    }

    /** The fold to do now, if any: never sooner than its announcement could be. */
    Optional<MergePlan> fold(long nowMillis) {
        if (!cadence.mayAnnounce(nowMillis) || !foldNeeded(nowMillis)) {
            return Optional.empty();
        }
        List<FlushedSegment> flushes =
                List.copyOf(state.flushes.subList(0, Math.min(FLUSHES_PER_FOLD_MAX, state.flushes.size())));
        boolean graduates = !flushes.isEmpty() && graduates(nowMillis);
        List<LiveSegment> segments = state.newest == null || graduates ? List.of() : List.of(state.newest);
        return Optional.of(new MergePlan(
                MergePlan.Kind.FOLD,
                state.lane,
                segments,
                flushes,
                graduates ? state.newest : null,
                retention.of(nowMillis, options.laneTokensMax()),
                state.tombstonesSeen,
                nowMillis));
    }

    private boolean foldNeeded(long nowMillis) {
        return !state.flushes.isEmpty()
                || (state.newest != null && (!layout.isClean(state.newest) || isOverdue(state.newest, nowMillis)));
    }

    /** The rewrite or merge of older segments to do now, if any. */
    Optional<MergePlan> older(long nowMillis) {
        for (LiveSegment segment : state.older) {
            if (!layout.isClean(segment) || isOverdue(segment, nowMillis)) {
                return Optional.of(rewrite(List.of(segment), Long.MAX_VALUE, nowMillis));
            }
        }
        long excess = retention.excessTokens();
        if (excess > 0 && !state.older.isEmpty()) {
            LiveSegment oldest = state.older.get(0);
            return Optional.of(rewrite(List.of(oldest), Math.max(0, oldest.liveTokens() - excess), nowMillis));
        }
        OptionalInt pair = pairToMerge(nowMillis);
        if (pair.isPresent()) {
            List<LiveSegment> neighbours = List.copyOf(state.older.subList(pair.getAsInt(), pair.getAsInt() + 2));
            return Optional.of(rewrite(neighbours, Long.MAX_VALUE, nowMillis));
        }
        return Optional.empty();
    }

    private MergePlan rewrite(List<LiveSegment> segments, long liveTokensMax, long nowMillis) {
        return new MergePlan(
                MergePlan.Kind.OLDER,
                state.lane,
                segments,
                List.of(),
                null,
                retention.of(nowMillis, liveTokensMax),
                state.tombstonesSeen,
                nowMillis);
    }

    private boolean isOverdue(LiveSegment segment, long nowMillis) {
        return nowMillis - segment.mergedAt() > options.generationAgeMillisMax() / REWRITES_PER_AGE;
    }

    private boolean graduates(long nowMillis) {
        return state.newest != null
                && planner.graduates(state.newest.liveTokens(), nowMillis - state.newest.begunAt(), state.older.size());
    }

    private OptionalInt pairToMerge(long nowMillis) {
        if (state.newest == null) {
            return OptionalInt.empty();
        }
        long[] olderTokens =
                state.older.stream().mapToLong(LiveSegment::liveTokens).toArray();
        return planner.pairToMerge(olderTokens, state.newest.liveTokens(), nowMillis - state.newest.begunAt());
    }
}
