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
 */
public record LaneInput(
        String lane,
        ShardProgress progress,
        LaneOutcome outcomes,
        LearningReport learning,
        DriftReport drift,
        WorkerReport worker) {
    public static LaneInput of(ShardProgress progress) {
        return new LaneInput(progress.lane(), progress, null, null, null, null);
    }

    public static LaneInput of(LaneOutcome outcome) {
        return new LaneInput(outcome.lane(), null, outcome, null, null, null);
    }

    public static LaneInput of(LearningReport report) {
        return new LaneInput(report.lane(), null, null, report, null, null);
    }

    public static LaneInput of(DriftReport report) {
        return new LaneInput(report.lane(), null, null, null, report, null);
    }

    public static LaneInput of(WorkerReport report) {
        return new LaneInput(report.lane(), null, null, null, null, report);
    }
}
