package io.tailrace.operators.publishing;

import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.learning.DriftReport;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.outcomes.LaneOutcome;

/**
 * What a lane's publisher hears: exactly one of these is there.
 *
 * @param progress of a shard
 * @param outcomes sums since the job's state began
 * @param learning of a replica
 * @param drift the traffic's standing
 * @param worker what a worker serves
 * @param announced a version that topic snapshots holds
 */
public record LaneInput(
        String lane,
        ShardProgress progress,
        LaneOutcome outcomes,
        LearningReport learning,
        DriftReport drift,
        WorkerReport worker,
        Long announced) {
    public static LaneInput of(ShardProgress progress) {
        return new LaneInput(progress.lane(), progress, null, null, null, null, null);
    }

    public static LaneInput of(LaneOutcome outcome) {
        return new LaneInput(outcome.lane(), null, outcome, null, null, null, null);
    }

    public static LaneInput of(LearningReport report) {
        return new LaneInput(report.lane(), null, null, report, null, null, null);
    }

    public static LaneInput of(DriftReport report) {
        return new LaneInput(report.lane(), null, null, null, report, null, null);
    }

    public static LaneInput of(WorkerReport report) {
        return new LaneInput(report.lane(), null, null, null, null, report, null);
    }

    /** True for what only generations bring about; an announced version is withdrawn if the lane's state does not know it. */
    boolean makesLane() {
        return progress != null || announced != null;
    }

    /** This job announced it, or an earlier run of which the state that was restored knows nothing. */
    public static LaneInput ofAnnounced(String lane, long version) {
        return new LaneInput(lane, null, null, null, null, null, version);
    }
}
