package io.tailrace.operators.drift;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.Notice;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.state.StateCodec;
import io.tailrace.schemas.EventKind;
import io.tailrace.suffix.learn.DriftDetector;
import io.tailrace.suffix.learn.DriftState;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keyed by lane: watches every generation that the shards gather for a shift ({@link DriftDetector}). An alarm goes to topic events
 * ({@link #EVENTS}), from where it makes the lane's memtables flush, and is told to the lane's publisher; its standing is told once a second.
 */
public final class DriftWatch extends KeyedProcessFunction<String, LaneObservation, DriftReport> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(DriftWatch.class);
    private static final long REPORT_MILLIS = 1_000;
    private static final StateCodec<DriftState> DRIFT = new StateCodec<>(DriftState.class, "Drift");

    /** The side output of events. */
    public static final OutputTag<OutgoingRecord> EVENTS =
            new OutputTag<>("drift-events", TypeInformation.of(OutgoingRecord.class));

    private final long generationsPerFalseAlarm;
    private transient ValueState<StateCell<DriftState>> driftState;
    private transient Map<String, DriftReport> shown;
    private transient Map<String, Long> timers;

    /** @param generationsPerFalseAlarm while nothing shifts, an alarm within n generations has at most the probability n / this */
    public DriftWatch(long generationsPerFalseAlarm) {
        this.generationsPerFalseAlarm = generationsPerFalseAlarm;
    }

    @Override
    public void open(OpenContext context) {
        driftState = getRuntimeContext().getState(new ValueStateDescriptor<>("drift", StateCell.serializer()));
        shown = new ConcurrentHashMap<>();
        timers = new HashMap<>();
    }

    @Override
    public void processElement(LaneObservation observation, Context context, Collector<DriftReport> out)
            throws Exception {
        if (observation.sketch() == null && driftState.value() == null) {
            return; // outcomes of a lane that no generation has named make no state
        }
        String lane = observation.lane();
        long now = context.timerService().currentProcessingTime();
        DriftState state = state();
        DriftDetector detector = new DriftDetector(state, generationsPerFalseAlarm);
        double evidence = detector.logEvidence();
        DriftReport before = report(lane, state, detector, false, evidence);
        DriftDetector.Change change = observation.sketch() == null
                ? detector.onLogLoss(observation.logLoss(), observation.predictions(), now)
                : detector.onGeneration(observation.sketch(), now);
        driftState.update(StateCell.of(state, DRIFT));
        switch (change) {
            case ALARM -> alarm(lane, before, context, out);
            case ENDED -> ended(lane, detector, state, context, out);
            case NONE -> {}
        }
        if (timers.getOrDefault(lane, Long.MIN_VALUE) <= now) {
            timers.put(lane, (now / REPORT_MILLIS + 1) * REPORT_MILLIS);
            context.timerService().registerProcessingTimeTimer(timers.get(lane));
        }
    }

    private void alarm(String lane, DriftReport before, Context context, Collector<DriftReport> out) throws Exception {
        long now = context.timerService().currentProcessingTime();
        DriftState state = state();
        String message =
                "the lane's traffic has shifted after %d generations: novelty %.2f bits a token against %.2f, log-loss %.2f against %.2f"
                        .formatted(
                                state.generations,
                                before.novelty(),
                                before.noveltyReference(),
                                before.logLoss(),
                                before.logLossReference());
        LOG.info("lane {}: {}", lane, message);
        context.output(EVENTS, new Notice(EventKind.DRIFT, message, numbers(before, state)).toRecord(lane, now));
        out.collect(
                show(report(lane, state, new DriftDetector(state, generationsPerFalseAlarm), true, before.evidence())));
    }

    private void ended(
            String lane, DriftDetector detector, DriftState state, Context context, Collector<DriftReport> out) {
        long now = context.timerService().currentProcessingTime();
        DriftReport report = report(lane, state, detector, false, detector.logEvidence());
        String message =
                "the alarm is over, %d generations after it was raised: novelty %.2f bits a token, log-loss %.2f"
                        .formatted(DriftDetector.ALARM_GENERATIONS, report.novelty(), report.logLoss());
        LOG.info("lane {}: {}", lane, message);
        context.output(EVENTS, new Notice(EventKind.DRIFT_ENDED, message, numbers(report, state)).toRecord(lane, now));
        out.collect(show(report));
    }

    private static Map<String, Long> numbers(DriftReport report, DriftState state) {
        Map<String, Long> numbers = new TreeMap<>();
        numbers.put("generations", state.generations);
        numbers.put("alarms", state.alarms);
        numbers.put("noveltyMilli", Math.round(1_000 * report.novelty()));
        numbers.put("noveltyReferenceMilli", Math.round(1_000 * report.noveltyReference()));
        numbers.put("logLossMilli", Math.round(1_000 * report.logLoss()));
        numbers.put("logLossReferenceMilli", Math.round(1_000 * report.logLossReference()));
        return numbers;
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<DriftReport> out) throws Exception {
        String lane = context.getCurrentKey();
        DriftState state = state();
        DriftDetector detector = new DriftDetector(state, generationsPerFalseAlarm);
        out.collect(show(report(lane, state, detector, false, detector.logEvidence())));
    }

    /** The state of the current key. Asked of Flink each time: it hands out a copy while a checkpoint still writes the last one. */
    private DriftState state() throws Exception {
        StateCell<DriftState> kept = driftState.value();
        return kept == null ? new DriftState() : kept.get(DRIFT);
    }

    private static DriftReport report(
            String lane, DriftState state, DriftDetector detector, boolean raised, double evidence) {
        return new DriftReport(
                lane,
                raised,
                detector.alarm(),
                state.alarms,
                state.alarmedAt,
                state.generations,
                evidence,
                detector.novelty(),
                detector.noveltyReference(),
                detector.logLoss(),
                detector.logLossReference());
    }

    private DriftReport show(DriftReport report) {
        String lane = report.lane();
        if (shown.put(lane, report) == null) {
            MetricGroup group = getRuntimeContext().getMetricGroup().addGroup(MetricNames.LANE, lane);
            Gauge<Integer> alarm = () -> shown.get(lane).alarm() ? 1 : 0;
            Gauge<Long> alarms = () -> shown.get(lane).alarms();
            Gauge<Double> novelty = () -> shown.get(lane).novelty();
            Gauge<Double> logLoss = () -> shown.get(lane).logLoss();
            group.gauge(MetricNames.DRIFT_ALARM, alarm);
            group.gauge(MetricNames.DRIFT_ALARMS, alarms);
            group.gauge(MetricNames.NOVELTY_BITS, novelty);
            group.gauge(MetricNames.LOG_LOSS_NATS, logLoss);
        }
        return report;
    }
}
