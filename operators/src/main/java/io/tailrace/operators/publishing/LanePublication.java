package io.tailrace.operators.publishing;

import io.tailrace.operators.control.Tombstone;
import io.tailrace.operators.control.Tombstones;
import io.tailrace.operators.indexing.FlushedSegment;
import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.learning.DriftReport;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.suffix.lane.SegmentPlanner;
import io.tailrace.suffix.segment.Retention;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a lane's publisher decides, over the {@link LaneState} that it checkpoints: which merges to do, whether their results
 * still fit, when to announce, what to retain. Knows no clock, no file and no thread; a plan that is lost in a failure is
 * simply made again.
 */
final class LanePublication {
    static final int FLUSHES_PER_FOLD_MAX = 512;
    /** A lane over its budget is trimmed to this share of it, so that trimming pays. */
    private static final double TRIMMED_SHARE = 0.9;
    /** Segments are rewritten this often within the time that generations live, to drop those past it. */
    private static final int REWRITES_PER_AGE = 8;

    private final LaneState state;
    private final PublishingOptions options;
    private final SegmentPlanner planner;

    LanePublication(LaneState state, PublishingOptions options) {
        this.state = state;
        state.complete();
        this.options = options;
        this.planner = new SegmentPlanner(options.newestTokensMax(), options.newestAgeMillisMax());
    }

    LaneState state() {
        return state;
    }

    void onProgress(ShardProgress progress) {
        state.shards.put(progress.shard(), new ShardStanding(progress.counters(), progress.memtableTokens()));
        if (progress.flushed() != null) {
            state.flushes.add(progress.flushed());
        }
    }

    void onOutcomes(LaneOutcome outcomes) {
        state.outcomes = outcomes.totals();
        state.costs = new ArrayList<>(outcomes.costs());
    }

    /** A policy goes live with the next announcement. */
    void adopt(LanePolicy policy) {
        state.policy = policy;
        makeDue(AnnouncementCause.POLICY);
    }

    /** Workers that are gone are forgotten. */
    void onWorker(WorkerReport report) {
        state.workers.put(report.worker(), report);
        state.workers.values().removeIf(known -> known.at() < report.at() - WorkerReport.SILENT_MILLIS_MAX);
    }

    /**
     * Takes note of a version on topic snapshots. One that is not retained is withdrawn with the next announcement: its files
     * are not kept, and a delete could not reach it. One newer than any of this state, announced after the savepoint that was
     * restored, is superseded at once.
     */
    void onAnnounced(long version) {
        if (state.retained.stream().anyMatch(retained -> retained.version() == version)
                || state.unknown.contains(version)) {
            return;
        }
        state.unknown.add(version);
        if (version > state.version) {
            makeDue(AnnouncementCause.CADENCE);
        }
    }

    void onDrift(DriftReport report) {
        state.learning().drift = report;
        if (report.raised()) {
            state.alarms.add(report.alarmedAt());
            if (state.alarms.size() > GenerationAging.ALARMS_MAX) {
                state.alarms.remove(0);
            }
            makeDue(AnnouncementCause.DRIFT);
        }
    }

    /** Drops segments that are past their time or the budget as a whole; what needs a rewrite is left to plans. */
    void expire(long nowMillis) {
        long before = liveTokens();
        long completedAfter = nowMillis - options.generationAgeMillisMax();
        state.older.removeIf(segment -> segment.stored().newestCompletedAt() < completedAfter);
        if (state.newest != null && state.newest.stored().newestCompletedAt() < completedAfter) {
            state.newest = null;
        }
        long excess = excessTokens();
        while (!state.older.isEmpty() && state.older.get(0).liveTokens() <= excess) {
            excess -= state.older.remove(0).liveTokens();
        }
        long expired = before - liveTokens();
        if (expired > 0) {
            state.tokensExpired += expired;
            makeDue(AnnouncementCause.CADENCE);
        }
    }

    /** Tokens to lose; 0 while the lane is within its budget. */
    private long excessTokens() {
        long live = liveTokens();
        return live <= options.laneTokensMax() ? 0 : live - (long) (TRIMMED_SHARE * options.laneTokensMax());
    }

    /** The fold to do now, if any: never sooner than its announcement could be. */
    Optional<MergePlan> planFold(long nowMillis) {
        if (!mayAnnounce(nowMillis) || !foldNeeded(nowMillis)) {
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
                retention(nowMillis, options.laneTokensMax()),
                state.tombstonesSeen,
                nowMillis));
    }

    private boolean foldNeeded(long nowMillis) {
        return !state.flushes.isEmpty()
                || (state.newest != null && (!isClean(state.newest) || isOverdue(state.newest, nowMillis)));
    }

    /** The rewrite or merge of older segments to do now, if any. */
    Optional<MergePlan> planOlder(long nowMillis) {
        for (LiveSegment segment : state.older) {
            if (!isClean(segment) || isOverdue(segment, nowMillis)) {
                return Optional.of(planOlder(List.of(segment), Long.MAX_VALUE, nowMillis));
            }
        }
        long excess = excessTokens();
        if (excess > 0 && !state.older.isEmpty()) {
            LiveSegment oldest = state.older.get(0);
            return Optional.of(planOlder(List.of(oldest), Math.max(0, oldest.liveTokens() - excess), nowMillis));
        }
        OptionalInt pair = pairToMerge(nowMillis);
        if (pair.isPresent()) {
            List<LiveSegment> neighbours = List.copyOf(state.older.subList(pair.getAsInt(), pair.getAsInt() + 2));
            return Optional.of(planOlder(neighbours, Long.MAX_VALUE, nowMillis));
        }
        return Optional.empty();
    }

    private MergePlan planOlder(List<LiveSegment> segments, long liveTokensMax, long nowMillis) {
        return new MergePlan(
                MergePlan.Kind.OLDER,
                state.lane,
                segments,
                List.of(),
                null,
                retention(nowMillis, liveTokensMax),
                state.tombstonesSeen,
                nowMillis);
    }

    private Retention retention(long nowMillis, long liveTokensMax) {
        return new Retention(
                nowMillis - options.generationAgeMillisMax(),
                liveTokensMax,
                new Tombstones(state.tombstones),
                new GenerationAging(options.halfLifeMillis(), state.alarms, nowMillis));
    }

    private boolean isClean(LiveSegment segment) {
        return segment.tombstonesApplied() >= state.tombstonesSeen;
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

    /** Takes the result of a plan; false if the lane has changed meanwhile so that it does not fit any more. */
    boolean adopt(MergeOutcome outcome) {
        boolean wasClean = cleanTo() >= state.tombstonesSeen;
        boolean adopted = outcome.plan().kind() == MergePlan.Kind.FOLD ? adoptFold(outcome) : adoptOlder(outcome);
        if (adopted) {
            state.tokensExpired += outcome.expiredTokens();
            state.tokensDeleted += outcome.deletedTokens();
            if (!wasClean && cleanTo() >= state.tombstonesSeen) {
                makeDue(AnnouncementCause.DELETE);
            }
        }
        return adopted;
    }

    private boolean adoptFold(MergeOutcome outcome) {
        MergePlan plan = outcome.plan();
        LiveSegment base =
                plan.segments().isEmpty() ? plan.graduating() : plan.segments().get(0);
        if (!Objects.equals(base, state.newest)
                || !flushesBeginWith(plan.flushes())
                || (plan.graduating() != null && state.older.size() >= SegmentPlanner.OLDER_MAX)) {
            return false;
        }
        if (plan.graduating() != null) {
            state.older.add(plan.graduating());
        }
        long begunAt = plan.segments().isEmpty() ? plan.plannedAt() : base.begunAt();
        LiveSegment before = state.newest;
        state.newest = liveSegment(outcome, begunAt);
        for (FlushedSegment flush : plan.flushes()) {
            flush.offsets().forEach((partition, offset) -> state.offsets.merge(partition, offset, Math::max));
            for (long completedAt : flush.completionTimes()) {
                state.completionsFolded.add(completedAt);
            }
        }
        state.flushes.subList(0, plan.flushes().size()).clear();
        if (!plan.flushes().isEmpty() || !sameContent(before, state.newest)) {
            makeDue(AnnouncementCause.CADENCE);
        }
        return true;
    }

    private boolean flushesBeginWith(List<FlushedSegment> planned) {
        if (planned.size() > state.flushes.size()) {
            return false;
        }
        for (int i = 0; i < planned.size(); i++) {
            if (!planned.get(i).segment().equals(state.flushes.get(i).segment())) {
                return false;
            }
        }
        return true;
    }

    private boolean adoptOlder(MergeOutcome outcome) {
        List<LiveSegment> planned = outcome.plan().segments();
        int first = Collections.indexOfSubList(state.older, planned);
        if (first < 0) {
            return false;
        }
        LiveSegment merged = liveSegment(outcome, planned.get(0).begunAt());
        boolean changed = planned.size() > 1 || !sameContent(planned.get(0), merged);
        state.older.subList(first, first + planned.size()).clear();
        if (merged != null) {
            state.older.add(first, merged);
        }
        if (changed) {
            makeDue(AnnouncementCause.MERGE);
        }
        return true;
    }

    private static LiveSegment liveSegment(MergeOutcome outcome, long begunAt) {
        return outcome.merged() == null
                ? null
                : new LiveSegment(
                        outcome.merged(),
                        outcome.plan().tombstonesApplied(),
                        begunAt,
                        outcome.plan().plannedAt());
    }

    private static boolean sameContent(LiveSegment before, LiveSegment after) {
        return Objects.equals(before == null ? null : before.stored(), after == null ? null : after.stored());
    }

    /** The strongest of the causes that come together is the one named. */
    void makeDue(AnnouncementCause cause) {
        if (state.due == null || strength(cause) > strength(state.due)) {
            state.due = cause;
        }
    }

    private static int strength(AnnouncementCause cause) {
        return switch (cause) {
            case ROLLBACK -> 4;
            case DELETE -> 3;
            case DRIFT, POLICY -> 2;
            case CADENCE -> 1;
            default -> 0;
        };
    }

    private boolean mayAnnounce(long nowMillis) {
        return nowMillis >= state.announcedAt + options.announceMillis();
    }

    /** The announcement that is due and allowed now, if any; it is taken as made. */
    Optional<Announcement> announce(long nowMillis, SegmentIdentity identity) {
        if (state.due == null || !mayAnnounce(nowMillis) || cleanTo() < state.holdForTombstones) {
            return Optional.empty();
        }
        long parent = state.version;
        long newest = state.unknown.stream().mapToLong(Long::longValue).reduce(parent, Math::max);
        state.version = Math.max(newest + 1, nowMillis);
        var manifest = ManifestContent.of(state, parent, nowMillis, identity);
        boolean deletesDone = state.due == AnnouncementCause.DELETE && cleanTo() >= state.tombstonesSeen;
        state.announcedAt = nowMillis;
        state.due = null;
        state.completionsFolded.clear();
        state.retained.add(
                new RetainedVersion(state.version, List.copyOf(state.older), state.newest, cleanTo(), false));
        state.policies.put(state.policy().number(), state.policy());
        state.policyOfVersion.put(state.version, state.policy().number());
        forgetTombstones(nowMillis);
        List<Long> dropped = dropVersions(nowMillis);
        state.policyOfVersion.keySet().removeAll(dropped);
        state.policies.keySet().retainAll(state.policyOfVersion.values());
        return Optional.of(new Announcement(manifest, dropped, deletesDone));
    }

    /**
     * Versions that are not this state's or hold what was deleted since go at once, whatever else; then the oldest beyond the limits of count and age, but
     * for pinned ones and those that a live worker serves.
     */
    private List<Long> dropVersions(long nowMillis) {
        List<Long> dropped = new ArrayList<>(state.unknown);
        state.unknown.clear();
        long cleanTo = cleanTo();
        state.retained.removeIf(retained -> {
            boolean forbidden = retained.tombstonesApplied() < cleanTo;
            if (forbidden) {
                dropped.add(retained.version());
            }
            return forbidden;
        });
        Set<Long> served = served(nowMillis);
        for (int i = 0; i < state.retained.size() - 1; ) {
            RetainedVersion oldest = state.retained.get(i);
            boolean tooMany = state.retained.size() > options.versionsRetained();
            boolean tooOld = oldest.version() < nowMillis - options.versionAgeMillisMax();
            if (oldest.pinned() || served.contains(oldest.version()) || !(tooMany || tooOld)) {
                i++;
            } else {
                dropped.add(oldest.version());
                state.retained.remove(i);
            }
        }
        return dropped;
    }

    private Set<Long> served(long nowMillis) {
        Set<Long> served = new HashSet<>();
        state.workers.values().stream()
                .filter(worker -> worker.at() >= nowMillis - WorkerReport.SILENT_MILLIS_MAX)
                .forEach(worker -> served.add(worker.version()));
        return served;
    }

    private void forgetTombstones(long nowMillis) {
        long issuedBefore = nowMillis - options.tombstoneMillis();
        long cleanTo = cleanTo();
        state.tombstones.removeIf(tombstone -> {
            boolean done = tombstone.issuedAt() < issuedBefore && tombstone.sequence() <= cleanTo;
            if (done) {
                state.tombstonesForgottenTo = Math.max(state.tombstonesForgottenTo, tombstone.issuedAt());
            }
            return done;
        });
    }

    /** When the last delete was issued that the lane knows, epoch milliseconds; 0: none. */
    long deletedTo() {
        long known = state.tombstonesForgottenTo;
        for (Tombstone tombstone : state.tombstones) {
            known = Math.max(known, tombstone.issuedAt());
        }
        return known;
    }

    /** Sequence up to which every segment of the layout has tombstones applied. */
    long cleanTo() {
        long cleanTo = state.newest == null ? state.tombstonesSeen : state.newest.tombstonesApplied();
        for (LiveSegment segment : state.older) {
            cleanTo = Math.min(cleanTo, segment.tombstonesApplied());
        }
        return cleanTo;
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

    /** True if a fold, a merge or an announcement waits for its time. */
    boolean isBusy() {
        return state.due != null || !state.flushes.isEmpty() || cleanTo() < state.tombstonesSeen;
    }

    /** True if a delete or a shift waits for the next fold. */
    boolean isUrgent() {
        return state.due == AnnouncementCause.DRIFT || cleanTo() < state.tombstonesSeen;
    }

    /** Every path that the layout, the waiting level-0 segments and the retained versions name. */
    Set<String> referencedPaths() {
        Set<String> paths = new HashSet<>();
        state.flushes.forEach(flush -> addPaths(flush.segment(), paths));
        state.older.forEach(segment -> addPaths(segment.stored(), paths));
        addPaths(state.newest, paths);
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
