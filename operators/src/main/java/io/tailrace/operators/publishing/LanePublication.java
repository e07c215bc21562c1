package io.tailrace.operators.publishing;

import io.tailrace.operators.control.Tombstone;
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
 * kept {@link GenerationRetention}'s, {@link RetentionChanges}' and {@link VersionRetention}'s. Knows no clock, no file and no thread.
 */
final class LanePublication {
    private final LaneState state;
    private final LaneLayout layout;
    private final AnnouncementCadence cadence;
    private final VersionRetention versions;
    private final PublishingOptions options;

    LanePublication(LaneState state, PublishingOptions options) {
        this.state = state;
        state.complete();
        this.options = options;
        this.layout = new LaneLayout(state);
        this.cadence = new AnnouncementCadence(state, options.announceMillis());
        this.versions = new VersionRetention(state, options);
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
        if (state.due == null || !cadence.mayAnnounce(nowMillis) || layout.cleanTo() < state.holdForTombstones) {
            return Optional.empty();
        }
        long parent = state.version;
        long newest = state.unknown.stream().mapToLong(Long::longValue).reduce(parent, Math::max);
        state.version = Math.max(newest + 1, nowMillis);
        var manifest = ManifestContent.of(state, parent, nowMillis, identity);
        boolean deletesDone = state.due == AnnouncementCause.DELETE && layout.isClean();
        cadence.announced(nowMillis);
        state.due = null;
        state.completionsFolded.clear();
        return Optional.of(new Announcement(manifest, retain(nowMillis), deletesDone));
    }

    /** The announced version can be gone back to; those that it pushes out come back. */
    private List<Long> retain(long nowMillis) {
        state.retained.add(
                new RetainedVersion(state.version, List.copyOf(state.older), state.newest, layout.cleanTo(), false));
        state.policies.put(state.policy().number(), state.policy());
        state.policyOfVersion.put(state.version, state.policy().number());
        versions.forgetTombstones(nowMillis);
        List<Long> dropped = versions.drop(nowMillis);
        state.policyOfVersion.keySet().removeAll(dropped);
        state.policies.keySet().retainAll(state.policyOfVersion.values());
        return dropped;
    }

    /** When the last delete was issued that the lane knows, epoch milliseconds; 0: none. */
    long deletedTo() {
        long known = state.tombstonesForgottenTo;
        for (Tombstone tombstone : state.tombstones) {
            known = Math.max(known, tombstone.issuedAt());
        }
        return known;
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
