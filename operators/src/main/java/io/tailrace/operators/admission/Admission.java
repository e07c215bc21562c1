package io.tailrace.operators.admission;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.RejectionCounters;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.state.StateCell;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Lets generations in by {@link AdmissionRules}; what they refuse goes to {@link RejectedRecord#OUTPUT}, and what belongs to a lane
 * that no snapshot was announced of yet to {@link OfferedGeneration#OF_NEW_LANES}, for {@link LaneRegister} to decide. Chooses a share of
 * what is admitted to be evaluated, all of it while the lane's drift alarm is on.
 */
public final class Admission extends BroadcastProcessFunction<RawRecord, LaneSignal, OfferedGeneration> {
    private static final long serialVersionUID = 1L;

    private final AdmissionRules rules;
    private final EvaluationSample.Sampling sampling;
    private transient MapStateDescriptor<String, StateCell<LaneSignal>> signalsDescriptor;
    private transient Counter admitted;
    private transient RejectionCounters rejected;

    public Admission(AdmissionOptions options, EvaluationSample.Sampling sampling) {
        this.rules = new AdmissionRules(options);
        this.sampling = sampling;
    }

    @Override
    public void open(OpenContext context) {
        signalsDescriptor = LaneSignal.descriptor();
        admitted = getRuntimeContext().getMetricGroup().counter(MetricNames.ADMITTED);
        rejected = new RejectionCounters(getRuntimeContext().getMetricGroup(), AdmissionRules.REASONS);
    }

    @Override
    public void processElement(RawRecord raw, ReadOnlyContext context, Collector<OfferedGeneration> out)
            throws Exception {
        AdmissionRules.Verdict verdict = rules.judge(raw, context.currentProcessingTime());
        if (!verdict.isAdmitted()) {
            rejected.count(verdict.rejection().getReason());
            context.output(RejectedRecord.OUTPUT, RejectedRecord.of(verdict.rejection()));
            return;
        }
        OfferedGeneration offered = offer(verdict, context);
        if (isAnnounced(offered.generation().lane(), context)) {
            admitted.inc();
            out.collect(offered);
        } else {
            context.output(OfferedGeneration.OF_NEW_LANES, offered);
        }
    }

    private boolean isAnnounced(String lane, ReadOnlyContext context) throws Exception {
        return context.getBroadcastState(signalsDescriptor).contains(LaneSignal.key(LaneSignal.Kind.SNAPSHOT, lane));
    }

    private OfferedGeneration offer(AdmissionRules.Verdict verdict, ReadOnlyContext context) throws Exception {
        AdmittedGeneration generation = verdict.admitted();
        boolean sampled = sampling.takes(generation.requestHigh(), isAlarmed(generation.lane(), context));
        return new OfferedGeneration(
                generation,
                generation.tokens().length - verdict.response().length,
                sampling.replica(generation.requestLow()),
                sampled ? lastTokens(verdict.prompt()) : null);
    }

    private boolean isAlarmed(String lane, ReadOnlyContext context) throws Exception {
        LaneSignal alarm = LaneSignal.find(LaneSignal.Kind.ALARM, lane, context.getBroadcastState(signalsDescriptor));
        return alarm != null && context.currentProcessingTime() < alarm.at() + LaneSignal.ALARM_MILLIS_MAX;
    }

    private static int[] lastTokens(int[] prompt) {
        int from = Math.max(0, prompt.length - EvaluationSample.PROMPT_TOKENS_MAX);
        return from == 0 ? prompt : Arrays.copyOfRange(prompt, from, prompt.length);
    }

    /** Alarms are kept while they are on, and which lanes were announced for good. */
    @Override
    public void processBroadcastElement(LaneSignal signal, Context context, Collector<OfferedGeneration> out)
            throws Exception {
        var state = context.getBroadcastState(signalsDescriptor);
        switch (signal.kind()) {
            case SNAPSHOT -> signal.keep(state);
            case ALARM -> {
                if (signal.isEnd()) {
                    state.remove(signal.key());
                } else {
                    signal.keep(state);
                }
            }
            case CANDIDATE -> {}
        }
    }

    /**
     * Counts the records that admission refused, in checkpointed state, and says so as an ACCOUNTING event without a lane at most
     * once a second. A lane's own events count only what was refused after it had reached the lane, so adding the
     * {@code recordsRejected} of the newest events of all lanes and of this one gives every rejected record once.
     */
    public static final class Tally extends KeyedProcessFunction<String, RejectedRecord, OutgoingRecord> {
        private static final long serialVersionUID = 1L;
        /** The one key of this operator, and the Kafka key of its events. */
        public static final String KEY = "admission";

        private static final long REPORT_MILLIS = 1_000;

        private transient ValueState<Long> rejected;

        @Override
        public void open(OpenContext context) {
            rejected = getRuntimeContext().getState(new ValueStateDescriptor<>("admission-rejected", Types.LONG));
        }

        @Override
        public void processElement(RejectedRecord record, Context context, Collector<OutgoingRecord> out)
                throws Exception {
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
                    null);
            out.collect(OutgoingRecord.of(KEY, RecordCodec.EVENT.encode(event)));
        }
    }
}
