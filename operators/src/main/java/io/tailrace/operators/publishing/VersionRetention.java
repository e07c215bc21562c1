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

    VersionRetention(LaneState state, PublishingOptions options) {
        this.state = state;
        this.options = options;
        this.layout = new LaneLayout(state);
        this.cadence = new AnnouncementCadence(state, options.announceMillis());
    }

    /** Workers that are gone are forgotten. */
    void onWorker(WorkerReport report) {
        state.workers.put(report.worker(), report);
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
     * Versions that are not this state's, or hold what was deleted and the one announced just now has been freed of, go at once, whatever else; then the oldest
     * beyond the limits of count and age, but for pinned ones and those that a live worker serves.
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
