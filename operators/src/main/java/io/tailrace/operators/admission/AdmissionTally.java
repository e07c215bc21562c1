package io.tailrace.operators.admission;

import io.tailrace.operators.JobEpoch;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Counts the records that admission refused, that it can never read, that it has passed, and that shards have counted, in checkpointed state. Says so as an ACCOUNTING event
 * without a lane at most once a second, once each start, and each day; of what is lost also as an event of its own.
 *
 * <p>The numbers of one event are of one moment, for they are taken where a checkpoint's barrier passes, before which all who count have said how far they are
 * ({@link io.tailrace.operators.barriers}). So they close exactly: what was passed was lost, was refused here, or was counted by a shard. A lane's own events count
 * only what was refused after it had reached the lane, so adding the {@code recordsRejected} of the newest events of all lanes and of this one gives every rejected record once.
 */
public final class AdmissionTally extends KeyedCoProcessFunction<String, RejectedRecord, TopicNote, OutgoingRecord>
        implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;
    /** The one key of this operator, and the Kafka key of its events. */
    public static final String KEY = "admission";

    private static final long REPORT_MILLIS = 1_000;
    /** Topic events forgets an account after a week. */
    private static final long AGAIN_MILLIS = 86_400_000;

    private static final String REJECTED = "recordsRejected";
    private static final String LOST = "recordsLost";
    private static final String BEFORE = "recordsBefore";
    private static final String TAKEN = "recordsTaken";
    private static final String PASSED = "recordsPassed";

    private final JobEpoch epochs;
    private transient MapState<String, Long> countState;
    private transient long epoch;
    /** Null before there is a key. */
    private transient Map<String, Long> counts;

    private transient boolean begun;
    /** As they were when a barrier passed last; null: none has since this start. */
    private transient Map<String, Long> atBarrier;

    private transient Map<String, Long> told;
    private transient long toldAt;

    /** @param epochs under which claim the job writes */
    public AdmissionTally(JobEpoch epochs) {
        this.epochs = epochs;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {}

    @Override
    public void open(OpenContext context) throws Exception {
        epoch = epochs.of(getRuntimeContext().getJobInfo());
        countState =
                getRuntimeContext().getMapState(new MapStateDescriptor<>("admission-counts", Types.STRING, Types.LONG));
    }

    /** What was read of topics before is known only when admission has begun. */
    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        if (begun) {
            atBarrier = Map.copyOf(counts);
        }
    }

    @Override
    public void processElement1(RejectedRecord record, Context context, Collector<OutgoingRecord> out)
            throws Exception {
        count(REJECTED, 1, Long::sum);
        reportBy(REPORT_MILLIS, context.timerService());
    }

    @Override
    public void processElement2(TopicNote note, Context context, Collector<OutgoingRecord> out) throws Exception {
        switch (note.kind()) {
            case BEGUN -> {
                begun = true;
                count(BEFORE, note.records(), Math::max);
            }
            case LOST -> {
                count(LOST, note.records(), Long::sum);
                out.collect(lost(note.lost(), context.timerService().currentProcessingTime()));
            }
            case PASSED -> count(PASSED, note.records(), Long::sum);
            case TAKEN -> count(TAKEN, note.records(), Long::sum);
        }
        reportBy(REPORT_MILLIS, context.timerService());
    }

    private void count(String what, long records, BinaryOperator<Long> with) throws Exception {
        countState.put(what, counts().merge(what, records, with));
    }

    /** Taken up from state when they are first asked for: only then is there a key. */
    private Map<String, Long> counts() throws Exception {
        if (counts == null) {
            counts = new HashMap<>();
            for (Map.Entry<String, Long> kept : countState.entries()) {
                counts.put(kept.getKey(), kept.getValue());
            }
        }
        return counts;
    }

    private OutgoingRecord lost(LostRecords gap, long nowMillis) {
        Map<String, Long> numbers =
                Map.of("partition", (long) gap.partition(), "from", gap.from(), "records", gap.records());
        return event(EventKind.RECORDS_LOST, gap.message(), numbers, nowMillis);
    }

    /** At the next multiple, so that there is one timer of a kind. */
    private static void reportBy(long paceMillis, TimerService timers) {
        timers.registerProcessingTimeTimer((timers.currentProcessingTime() / paceMillis + 1) * paceMillis);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<OutgoingRecord> out) throws Exception {
        boolean isDue = !Objects.equals(atBarrier, told) || timestamp >= toldAt + AGAIN_MILLIS;
        if (atBarrier != null && isDue) {
            String message =
                    "records that admission passed, lost and refused, and that shards counted, since the job's state began";
            out.collect(event(EventKind.ACCOUNTING, message, numbers(atBarrier), timestamp));
            told = atBarrier;
            toldAt = timestamp;
        }
        boolean isTold = counts().equals(told);
        reportBy(isTold ? AGAIN_MILLIS : REPORT_MILLIS, context.timerService());
    }

    private static Map<String, Long> numbers(Map<String, Long> counts) {
        Map<String, Long> numbers = new HashMap<>(counts);
        List.of(REJECTED, LOST, BEFORE, TAKEN, PASSED).forEach(number -> numbers.putIfAbsent(number, 0L));
        return numbers;
    }

    private OutgoingRecord event(EventKind kind, String message, Map<String, Long> numbers, long atMillis) {
        Event event = new Event(kind, null, message, numbers, Instant.ofEpochMilli(atMillis), null, null, null, epoch);
        return OutgoingRecord.of(KEY, RecordCodec.EVENT.encode(event));
    }
}
