package io.tailrace.client.follow.internal;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.DraftPolicy;
import java.util.Map;

/** Snapshots as manifests announce them, for other packages' tests. */
public final class AnnouncedSnapshots {
    private AnnouncedSnapshots() {}

    /** A snapshot without segments whose policy knows a class's costs. */
    public static LoadedSnapshot snapshot(long version, DraftPolicy policy, String workerClass, CostCurve costs) {
        return new LoadedSnapshot(
                version,
                policy,
                new LoadedSnapshot.Learned(0, Map.of(workerClass, costs), false),
                LaneIndex.EMPTY,
                () -> {},
                () -> {});
    }

    /** A snapshot without segments whose policy was learned from what was completed before then. */
    public static LoadedSnapshot snapshot(long version, DraftPolicy policy, long learnedAtMillis, boolean driftAlarm) {
        return new LoadedSnapshot(
                version,
                policy,
                new LoadedSnapshot.Learned(learnedAtMillis, Map.of(), driftAlarm),
                LaneIndex.EMPTY,
                () -> {},
                () -> {});
    }

    /** A version is announced to a scope's lane, and each of so many loads of it fails. */
    public static void announceWhatCannotBeLoaded(ServedLanes lanes, String scope, long version, int loads) {
        ServedLane lane = lanes.ofRequest(scope);
        lane.announce(Manifests.manifest(version), 0, 0);
        for (int load = 0; load < loads; load++) {
            lane.nextLoad(Long.MAX_VALUE);
            lane.failed(version, "broken", true, 0);
        }
    }
}
