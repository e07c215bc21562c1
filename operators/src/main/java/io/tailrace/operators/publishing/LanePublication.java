package io.tailrace.operators.publishing;

import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.learning.DriftReport;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a lane's publisher decides, over the {@link LaneState} that it checkpoints: takes in what is heard of the lane and
 * announces its versions. Which merges to do is {@link MergePlanning}'s, taking up their results {@link MergeAdoption}'s, what is
 * kept {@link GenerationRetention}'s, {@link RetentionChanges}' and {@link VersionRetention}'s, when a delete must be done {@link DeleteBound}'s. Knows no clock, no
 * file and no thread.
 */
final class LanePublication {
    private final LaneState state;
    private final LaneLayout layout;
    private final AnnouncementCadence cadence;
    private final VersionRetention versions;
    private final DeleteBound bound;
    private final PublishingOptions options;

    LanePublication(LaneState state, PublishingOptions options) {
        this.state = state;
        state.complete();
        this.options = options;
        this.layout = new LaneLayout(state);
        this.cadence = new AnnouncementCadence(state, options.announceMillis());
        this.versions = new VersionRetention(state, options);
        this.bound = new DeleteBound(state, options);
    }

    LaneState state() {
        return state;
    }

    LaneLayout layout() {
        return layout;
    }

    GenerationRetention generations() {
        return new GenerationRetention(state, options);
    }

    VersionRetention versions() {
        return versions;
    }

    MergePlanning merges() {
        return new MergePlanning(state, options);
    }

    RetentionChanges retention() {
        return new RetentionChanges(state, options);
    }

    /** Takes the result of a plan; false if the lane has changed meanwhile so that it does not fit any more. */
    boolean adopt(MergeOutcome outcome) {
        return new MergeAdoption(state, options).adopt(outcome);
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

    /** A policy goes live with the next announcement. */
    void adopt(LanePolicy policy) {
        state.policy = policy;
        makeDue(AnnouncementCause.POLICY);
    }

    /** Makes what the judge has adopted live; what is refused changes nothing. */
    void onJudged(LaneLearning.Judgement judgement, long nowMillis) {
        if (judgement.retention() != null) {
            retention().onJudged(judgement, nowMillis);
        } else if (judgement.adopted()) {
            adopt(judgement.policy());
        }
    }

    void makeDue(AnnouncementCause cause) {
        cadence.makeDue(cause);
    }

    AnnouncementCadence cadence() {
        return cadence;
    }

    /** The announcement that is due and allowed now, if any; it is taken as made. */
    Optional<Announcement> announce(long nowMillis, SegmentIdentity identity) {
        boolean over = bound.isReached(nowMillis);
        if (over) {
            makeDue(AnnouncementCause.DELETE);
        }
        boolean held = layout.cleanTo() < state.holdForTombstones && !over;
        if (state.due == null || !cadence.mayAnnounce(nowMillis) || held) {
            return Optional.empty();
        }
        long parent = state.version;
        long newest = state.unknown.stream().mapToLong(Long::longValue).reduce(parent, Math::max);
        state.version = Math.max(newest + 1, nowMillis);
        RetainedVersion announced = bound.announced(nowMillis);
        var manifest = ManifestContent.of(state, announced, parent, nowMillis, identity);
        boolean deletesDone = !state.retained.isEmpty() && announced.tombstonesApplied() > deletesTold();
        cadence.announced(nowMillis);
        state.due = null;
        state.completionsFolded.clear();
        return Optional.of(new Announcement(manifest, retain(announced, nowMillis), deletesDone));
    }

    /** Deletes up to this sequence are done in the version announced last. */
    private long deletesTold() {
        return state.retained.get(state.retained.size() - 1).tombstonesApplied();
    }

    /** Tokens of the lane that the version announced last leaves out, since they could not be freed of what was deleted in time. */
    long withheldTokens() {
        RetainedVersion announced = state.retained.get(state.retained.size() - 1);
        return layout.liveTokens() - announced.liveTokens();
    }

    /** The announced version can be gone back to; those that it pushes out come back. */
    private List<Long> retain(RetainedVersion announced, long nowMillis) {
        state.retained.add(announced);
        state.policies.put(state.policy().number(), state.policy());
        state.policyOfVersion.put(state.version, state.policy().number());
        versions.forgetTombstones(nowMillis);
        return versions.drop(nowMillis);
    }

    /** Every delete issued by then is done in the version announced last, epoch milliseconds; 0: none is known. */
    long deletedTo() {
        return bound.issuedTo(deletesTold());
    }

    /** True if a fold, a merge or an announcement waits for its time. */
    boolean isBusy() {
        return state.due != null || !state.flushes.isEmpty() || !layout.isClean();
    }

    /** True if a delete or a shift waits for the next fold. */
    boolean isUrgent() {
        return state.due == AnnouncementCause.DRIFT || !layout.isClean();
    }
}
