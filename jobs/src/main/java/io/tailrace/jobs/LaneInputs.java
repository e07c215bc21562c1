package io.tailrace.jobs;

import io.tailrace.operators.OperatorIds;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.intake.ShardProgress;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.publishing.LaneMessage;
import io.tailrace.operators.signals.LaneSignal;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** What a lane's publisher is told, each as a stream of its messages. */
final class LaneInputs {
    private LaneInputs() {}

    /** @param bufferMillis a report waits that long for company */
    static DataStream<LaneMessage> progress(DataStream<ShardProgress> progress, long bufferMillis) {
        return input(
                progress.map(report -> LaneMessage.of(report)).setBufferTimeout(bufferMillis),
                OperatorIds.PROGRESS_INPUT,
                "shard progress");
    }

    static DataStream<LaneMessage> outcomes(DataStream<LaneOutcome> outcomes) {
        return input(outcomes.map(sum -> LaneMessage.of(sum)), OperatorIds.OUTCOMES_INPUT, "lane outcomes");
    }

    static DataStream<LaneMessage> drift(DataStream<DriftWatch.Report> drift) {
        return input(drift.map(report -> LaneMessage.of(report)), OperatorIds.DRIFT_INPUT, "drift");
    }

    static DataStream<LaneMessage> learning(DataStream<LearningReport> learning) {
        return input(learning.map(report -> LaneMessage.of(report)), OperatorIds.LEARNING_INPUT, "learning");
    }

    static DataStream<LaneMessage> workers(DataStream<RawRecord> records) {
        return input(
                records.flatMap(new LaneMessage.WorkerDecoding()).setParallelism(1),
                OperatorIds.WORKERS_DECODING,
                "workers decoding");
    }

    /** The publisher hears its own announcements too: after a restore, those that its state knows nothing of. Those of another epoch it withdraws. */
    static DataStream<LaneMessage> known(DataStream<LaneSignal> announced) {
        return input(
                announced
                        .map(signal -> LaneMessage.of(new LaneMessage.AnnouncedVersion(
                                signal.lane(), signal.number(), signal.epoch(), signal.at())))
                        .setParallelism(1),
                OperatorIds.SNAPSHOTS_INPUT,
                "announced versions");
    }

    private static DataStream<LaneMessage> input(
            SingleOutputStreamOperator<LaneMessage> mapped, String uid, String name) {
        return mapped.returns(TypeInformation.of(LaneMessage.class)).uid(uid).name(name);
    }
}
