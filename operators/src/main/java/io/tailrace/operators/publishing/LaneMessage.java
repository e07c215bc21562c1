package io.tailrace.operators.publishing;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.RecordDecoding;
import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.intake.ShardProgress;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.WorkerStatus;
import io.tailrace.schemas.signing.TrustedKeys;
import org.apache.flink.util.Collector;

/**
 * What streams bring to a lane's publisher: exactly one of these is there.
 *
 * @param progress of a shard
 * @param outcomes sums since the job's state began
 * @param learning of a replica
 * @param drift the traffic's standing
 * @param worker what a worker serves
 * @param announced what topic snapshots holds
 */
public record LaneMessage(
        String lane,
        ShardProgress progress,
        LaneOutcome outcomes,
        LearningReport learning,
        DriftWatch.Report drift,
        WorkerReport worker,
        AnnouncedVersion announced) {
    public static LaneMessage of(ShardProgress progress) {
        return new LaneMessage(progress.lane(), progress, null, null, null, null, null);
    }

    public static LaneMessage of(LaneOutcome outcome) {
        return new LaneMessage(outcome.lane(), null, outcome, null, null, null, null);
    }

    public static LaneMessage of(LearningReport report) {
        return new LaneMessage(report.lane(), null, null, report, null, null, null);
    }

    public static LaneMessage of(DriftWatch.Report report) {
        return new LaneMessage(report.lane(), null, null, null, report, null, null);
    }

    public static LaneMessage of(WorkerReport report) {
        return new LaneMessage(report.lane(), null, null, null, null, report, null);
    }

    /** True for what only generations bring about; an announced version is withdrawn if the lane's state does not know it. */
    boolean makesLane() {
        return progress != null || announced != null;
    }

    LaneInput input() {
        if (progress != null) {
            return new LaneInput.Progress(progress);
        } else if (learning != null) {
            return new LaneInput.Learned(learning);
        } else if (outcomes != null) {
            return new LaneInput.Verified(outcomes);
        } else if (drift != null) {
            return new LaneInput.Drifted(drift);
        }
        return worker == null ? new LaneInput.Announced(announced) : new LaneInput.Served(worker);
    }

    /** This job announced it, or an earlier run of which the state that was restored knows nothing. */
    public static LaneMessage of(AnnouncedVersion announced) {
        return new LaneMessage(announced.lane(), null, null, null, null, null, announced);
    }

    /**
     * A version that topic snapshots holds.
     *
     * @param lane as text
     * @param epoch of the job that announced it
     * @param at when the brokers took it, epoch milliseconds
     */
    public record AnnouncedVersion(String lane, long version, long epoch, long at) {}

    /**
     * What a worker says it serves the lane with.
     *
     * @param lane as text
     * @param version 0: none
     * @param at when the brokers took it, epoch milliseconds
     */
    public record WorkerReport(String lane, String worker, long version, long at) {}

    /** Topic workers to what they serve; names over their limit are left out, since state keeps them. */
    public static final class WorkerDecoding extends RecordDecoding<LaneMessage> {
        private static final long serialVersionUID = 1L;

        public WorkerDecoding() {
            super(TrustedKeys.none());
        }

        @Override
        protected void decode(RawRecord raw, Collector<LaneMessage> out) throws UndecodableRecordException {
            if (raw.value() != null) {
                WorkerStatus status = RecordCodec.WORKER_STATUS.decode(raw.value());
                AdmissionOptions.Limits.checkName("worker", status.getWorker());
                out.collect(LaneMessage.of(new WorkerReport(
                        LaneId.of(status.getLane()).toString(),
                        status.getWorker(),
                        status.getLoadedVersion(),
                        raw.timestampMillis())));
            }
        }
    }
}
