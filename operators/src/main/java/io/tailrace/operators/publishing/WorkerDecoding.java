package io.tailrace.operators.publishing;

import io.tailrace.operators.RawRecord;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.WorkerStatus;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Topic workers to reports. What is none is logged with its place and left out. */
public final class WorkerDecoding implements FlatMapFunction<RawRecord, LaneMessage> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(WorkerDecoding.class);

    @Override
    public void flatMap(RawRecord raw, Collector<LaneMessage> out) {
        try {
            if (raw.value() != null) {
                WorkerStatus status = RecordCodec.WORKER_STATUS.decode(raw.value());
                out.collect(LaneMessage.of(new WorkerReport(
                        LaneId.of(status.getLane()).toString(),
                        status.getWorker(),
                        status.getLoadedVersion(),
                        status.getReportedAt().toEpochMilli())));
            }
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            LOG.warn("record at {}-{}@{} ignored: {}", raw.topic(), raw.partition(), raw.offset(), e.getMessage());
        }
    }
}
