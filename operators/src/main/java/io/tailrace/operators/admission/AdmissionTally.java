package io.tailrace.operators.admission;

import io.tailrace.operators.JobEpoch;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import java.time.Instant;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Counts the records that admission refused, in checkpointed state, and says so as an ACCOUNTING event without a lane at most
 * once a second. A lane's own events count only what was refused after it had reached the lane, so adding the
 * {@code recordsRejected} of the newest events of all lanes and of this one gives every rejected record once.
 */
public final class AdmissionTally extends KeyedProcessFunction<String, RejectedRecord, OutgoingRecord> {
    private static final long serialVersionUID = 1L;
    /** The one key of this operator, and the Kafka key of its events. */
    public static final String KEY = "admission";

    private static final long REPORT_MILLIS = 1_000;

    private final JobEpoch epochs;
    private transient ValueState<Long> rejected;
    private transient long epoch;

    /** @param epochs under which claim the job writes */
    public AdmissionTally(JobEpoch epochs) {
        this.epochs = epochs;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        epoch = epochs.of(getRuntimeContext().getJobInfo());
        rejected = getRuntimeContext().getState(new ValueStateDescriptor<>("admission-rejected", Types.LONG));
    }

    @Override
    public void processElement(RejectedRecord record, Context context, Collector<OutgoingRecord> out) throws Exception {
        Long before = rejected.value();
        rejected.update(before == null ? 1 : before + 1);
        long now = context.timerService().currentProcessingTime();
        context.timerService().registerProcessingTimeTimer((now / REPORT_MILLIS + 1) * REPORT_MILLIS);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<OutgoingRecord> out) throws Exception {
        Event event = new Event(
                EventKind.ACCOUNTING,
                null,
                "records refused by admission since the job's state began",
                Map.of("recordsRejected", rejected.value()),
                Instant.ofEpochMilli(timestamp),
                null,
                null,
                null,
                epoch);
        out.collect(OutgoingRecord.of(KEY, RecordCodec.EVENT.encode(event)));
    }
}
