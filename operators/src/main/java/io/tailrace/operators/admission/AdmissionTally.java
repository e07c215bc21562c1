package io.tailrace.operators.admission;

import io.tailrace.operators.JobEpoch;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Counts the records that admission refused, and those that it can never read, in checkpointed state, and says so as an ACCOUNTING event without a
 * lane at most once a second, once each start, and each day; of the latter also as an event of their own. A lane's own events count only what was refused after it had reached the
 * lane, so adding the {@code recordsRejected} of the newest events of all lanes and of this one gives every rejected record once.
 */
public final class AdmissionTally extends KeyedCoProcessFunction<String, RejectedRecord, TopicNote, OutgoingRecord> {
    private static final long serialVersionUID = 1L;
    /** The one key of this operator, and the Kafka key of its events. */
    public static final String KEY = "admission";

    private static final long REPORT_MILLIS = 1_000;
    /** Topic events forgets an account after a week. */
    private static final long AGAIN_MILLIS = 86_400_000;

    private final JobEpoch epochs;
    private transient ValueState<Long> rejected;
    private transient ValueState<Long> lost;
    private transient ValueState<Long> before;
    private transient long epoch;

    /** @param epochs under which claim the job writes */
    public AdmissionTally(JobEpoch epochs) {
        this.epochs = epochs;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        epoch = epochs.of(getRuntimeContext().getJobInfo());
        rejected = getRuntimeContext().getState(new ValueStateDescriptor<>("admission-rejected", Types.LONG));
        lost = getRuntimeContext().getState(new ValueStateDescriptor<>("admission-lost", Types.LONG));
        before = getRuntimeContext().getState(new ValueStateDescriptor<>("admission-before", Types.LONG));
    }

    @Override
    public void processElement1(RejectedRecord record, Context context, Collector<OutgoingRecord> out)
            throws Exception {
        rejected.update(count(rejected) + 1);
        reportBy(REPORT_MILLIS, context.timerService());
    }

    @Override
    public void processElement2(TopicNote note, Context context, Collector<OutgoingRecord> out) throws Exception {
        if (note.lost() == null) {
            before.update(note.recordsBefore());
        } else {
            count(note.lost(), context, out);
        }
        reportBy(REPORT_MILLIS, context.timerService());
    }

    private void count(LostRecords gap, Context context, Collector<OutgoingRecord> out) throws IOException {
        lost.update(count(lost) + gap.records());
        Map<String, Long> numbers =
                Map.of("partition", (long) gap.partition(), "from", gap.from(), "records", gap.records());
        long now = context.timerService().currentProcessingTime();
        out.collect(event(EventKind.RECORDS_LOST, gap.message(), numbers, now));
    }

    /** At the next multiple, so that there is one timer of a kind. */
    private static void reportBy(long paceMillis, TimerService timers) {
        timers.registerProcessingTimeTimer((timers.currentProcessingTime() / paceMillis + 1) * paceMillis);
    }

    private static long count(ValueState<Long> state) throws IOException {
        Long counted = state.value();
        return counted == null ? 0 : counted;
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<OutgoingRecord> out) throws Exception {
        Map<String, Long> numbers =
                Map.of("recordsRejected", count(rejected), "recordsLost", count(lost), "recordsBefore", count(before));
        String message = "records refused by admission, and lost to the topic's retention, since the job's state began";
        out.collect(event(EventKind.ACCOUNTING, message, numbers, timestamp));
        reportBy(AGAIN_MILLIS, context.timerService());
    }

    private OutgoingRecord event(EventKind kind, String message, Map<String, Long> numbers, long atMillis) {
        Event event = new Event(kind, null, message, numbers, Instant.ofEpochMilli(atMillis), null, null, null, epoch);
        return OutgoingRecord.of(KEY, RecordCodec.EVENT.encode(event));
    }
}
