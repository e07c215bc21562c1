package io.tailrace.operators.publishing;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.intake.ShardProgress;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.outcomes.LaneOutcome;
import java.util.List;

/** What a {@link Lane} hears. */
sealed interface LaneInput {
    /** Of a shard. */
    record Progress(ShardProgress report) implements LaneInput {}

    /** Sums of outcomes since the job's state began. */
    record Verified(LaneOutcome outcome) implements LaneInput {}

    /** Of a replica. */
    record Learned(LearningReport report) implements LaneInput {}

    /** The traffic's standing. */
    record Drifted(DriftWatch.Report report) implements LaneInput {}

    /** What a worker serves. */
    record Served(LaneMessage.WorkerReport report) implements LaneInput {}

    /** A version that topic snapshots holds. */
    record Announced(LaneMessage.AnnouncedVersion version) implements LaneInput {}

    /** An operator's command. */
    record Commanded(ControlCommand command) implements LaneInput {}

    /**
     * A task has taken the lane up.
     *
     * @param heard deletes that the task has heard of
     * @param missed deletes that topic control holds, also those given while the job was down
     */
    record Resumed(List<ControlCommand> heard, List<ControlCommand> missed) implements LaneInput {}
}
