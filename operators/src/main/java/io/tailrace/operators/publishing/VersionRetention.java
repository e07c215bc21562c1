package io.tailrace.operators.publishing;

import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.WorkerPresence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which announced versions of a lane can be gone back to, which are withdrawn, and when an applied delete is forgotten. */
final class VersionRetention {
    private final LaneState state;
    private final PublishingOptions options;
    private final LaneLayout layout;
    private final AnnouncementCadence cadence;
    private final VersionSpacing spacing;

    VersionRetention(LaneState state, PublishingOptions options) {
        this.state = state;
        this.options = options;
        this.layout = new LaneLayout(state);
        this.cadence = new AnnouncementCadence(state, options.announceMillis());
        this.spacing = new VersionSpacing(options.versionsRetained(), options.versionAgeMillisMax());
    }

    /** A job that was down heard of no worker: what each said last counts as said now, until it says more. */
    void restored(long nowMillis) {
        state.workers.replaceAll((name, report) -> report.at() >= nowMillis
                ? report
                : new WorkerReport(report.lane(), report.worker(), report.version(), nowMillis));
    }

    /** What is older than what is known says nothing; workers that are gone are forgotten. */
    void onWorker(WorkerReport report) {
        state.workers.merge(report.worker(), report, (known, heard) -> heard.at() < known.at() ? known : heard);
        state.workers.values().removeIf(known -> WorkerPresence.isGone(known.at(), report.at()));
    }

    /**
     * Takes note of a version on topic snapshots. One that is not retained is withdrawn by an announcement of its own, also on a lane
     * without traffic: its files are not kept, and a delete could not reach it. One newer than any of this state, announced after
     * the savepoint that was restored, is superseded by it.
     */
    void onAnnounced(long version) {
        if (state.retained.stream().anyMatch(retained -> retained.version() == version)
                || state.unknown.contains(version)) {
            return;
        }
        state.unknown.add(version);
        cadence.makeDue(AnnouncementCause.CADENCE);
    }

    /**
     * Versions that are not this state's, or hold what was deleted and the one announced just now has been freed of, go at once, whatever else; then those
     * beyond the limits of count and age.
     */
    List<Long> drop(long nowMillis) {
        List<Long> dropped = new ArrayList<>(state.unknown);
        state.unknown.clear();
        long applied = state.retained.get(state.retained.size() - 1).tombstonesApplied();
        state.retained.removeIf(retained -> {
            boolean forbidden = retained.tombstonesApplied() < applied;
            if (forbidden) {
                dropped.add(retained.version());
            }
            return forbidden;
        });
        forgetPolicies(dropped);
        dropped.addAll(expire(nowMillis));
        return dropped;
    }

    /** Versions beyond the limits of count and age go ({@link VersionSpacing}), but for pinned ones and those that a live worker serves. */
    List<Long> expire(long nowMillis) {
        if (state.retained.isEmpty()) {
            return List.of();
        }
        Set<Long> served = served(nowMillis);
        List<Long> expired = spacing.excess(
                state.retained.stream().map(kept -> standing(kept, served)).toList(), nowMillis);
        state.retained.removeIf(kept -> expired.contains(kept.version()));
        forgetPolicies(expired);
        return expired;
    }

    private VersionSpacing.Version standing(RetainedVersion kept, Set<Long> served) {
        return new VersionSpacing.Version(
                kept.version(),
                state.policyOfVersion.getOrDefault(kept.version(), 0L),
                kept.pinned() || served.contains(kept.version()));
    }

    private void forgetPolicies(List<Long> versions) {
        state.policyOfVersion.keySet().removeAll(versions);
        state.policies.keySet().retainAll(state.policyOfVersion.values());
    }

    private Set<Long> served(long nowMillis) {
        Set<Long> served = new HashSet<>();
        state.workers.values().stream()
                .filter(worker -> !WorkerPresence.isGone(worker.at(), nowMillis))
                .forEach(worker -> served.add(worker.version()));
        return served;
    }

    void forgetTombstones(long nowMillis) {
        long issuedBefore = nowMillis - options.tombstoneMillis();
        long cleanTo = layout.cleanTo();
        state.tombstones.removeIf(tombstone -> {
            boolean done = tombstone.issuedAt() < issuedBefore && tombstone.sequence() <= cleanTo;
            if (done) {
                state.tombstonesForgottenTo = Math.max(state.tombstonesForgottenTo, tombstone.issuedAt());
            }
            return done;
        });
    }
}
