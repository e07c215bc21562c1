package io.tailrace.operators.drift;

import io.tailrace.operators.JobEpoch;
import io.tailrace.operators.MetricNames;
import io.tailrace.operators.Notice;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.state.StateCodec;
import io.tailrace.schemas.DriftStanding;
import io.tailrace.schemas.EventKind;
import io.tailrace.suffix.learn.DriftDetector;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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
 * Keyed by lane: watches every generation that the shards take in for a shift ({@link DriftDetector}). An alarm goes to topic events
 * ({@link #EVENTS}), and is told to the lane's publisher; its standing is told once a second.
 */
public final class DriftWatch extends KeyedProcessFunction<String, DriftWatch.Observation, DriftWatch.Report> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(DriftWatch.class);
    private static final long REPORT_MILLIS = 1_000;
    private static final StateCodec<DriftDetector.State> DRIFT = new StateCodec<>(DriftDetector.State.class, "Drift");

    /** The side output of events. */
    public static final OutputTag<OutgoingRecord> EVENTS =
            new OutputTag<>("drift-events", TypeInformation.of(OutgoingRecord.class));

    private final long generationsPerFalseAlarm;
    private final JobEpoch epochs;
    private transient ValueState<StateCell<DriftDetector.State>> driftState;
    private transient Map<String, Report> shown;
    /** Lanes whose timer is set. */
    private transient Set<String> timers;

    private transient long epoch;

    /**
     * A watch over all lanes.
     *
     * @param generationsPerFalseAlarm while nothing shifts, an alarm within n generations has at most the probability n / this
     * @param epochs under which claim the job writes
     */
    public DriftWatch(long generationsPerFalseAlarm, JobEpoch epochs) {
        this.generationsPerFalseAlarm = generationsPerFalseAlarm;
        this.epochs = epochs;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        epoch = epochs.of(getRuntimeContext().getJobInfo());
        driftState = getRuntimeContext().getState(new ValueStateDescriptor<>("drift", StateCell.serializer()));
        shown = new ConcurrentHashMap<>();
        timers = new HashSet<>();
    }

    @Override
    public void processElement(Observation observation, Context context, Collector<Report> out) throws Exception {
        if (observation.sketch() == null && driftState.value() == null) {
            return; // outcomes of a lane that no generation has named make no state
        }
        String lane = observation.lane();
        long now = context.timerService().currentProcessingTime();
        DriftDetector.State state = state();
        DriftDetector detector = new DriftDetector(state, generationsPerFalseAlarm);
        double evidence = detector.logEvidence();
        Report before = report(lane, state, detector, false, evidence);
        DriftDetector.Change change = observation.sketch() == null
                ? detector.onLogLoss(observation.logLoss(), observation.predictions(), now)
                : detector.onGeneration(observation.sketch(), now);
        driftState.update(StateCell.of(state, DRIFT));
        switch (change) {
            case ALARM -> alarm(lane, before, context, out);
            case ENDED -> ended(lane, detector, state, context, out);
            case NONE -> {}
        }
        if (timers.add(lane)) {
            context.timerService().registerProcessingTimeTimer((now / REPORT_MILLIS + 1) * REPORT_MILLIS);
        }
    }

    private void alarm(String lane, Report before, Context context, Collector<Report> out) throws Exception {
        long now = context.timerService().currentProcessingTime();
        DriftDetector.State state = state();
        String message =
                "the lane's traffic has shifted after %d generations: novelty %.2f bits a token against %.2f, log-loss %.2f against %.2f"
                        .formatted(
                                state.generations,
                                before.novelty(),
                                before.noveltyReference(),
                                before.logLoss(),
                                before.logLossReference());
        LOG.info("lane {}: {}", lane, message);
        context.output(EVENTS, new Notice(EventKind.DRIFT, message, numbers(before, state)).toRecord(lane, now, epoch));
        out.collect(
                show(report(lane, state, new DriftDetector(state, generationsPerFalseAlarm), true, before.evidence())));
    }

    private void ended(
            String lane, DriftDetector detector, DriftDetector.State state, Context context, Collector<Report> out) {
        long now = context.timerService().currentProcessingTime();
        Report report = report(lane, state, detector, false, detector.logEvidence());
        String message =
                "the alarm is over, %d generations after it was raised: novelty %.2f bits a token, log-loss %.2f"
                        .formatted(DriftDetector.ALARM_GENERATIONS, report.novelty(), report.logLoss());
        LOG.info("lane {}: {}", lane, message);
        context.output(
                EVENTS, new Notice(EventKind.DRIFT_ENDED, message, numbers(report, state)).toRecord(lane, now, epoch));
        out.collect(show(report));
    }

    private static Map<String, Long> numbers(Report report, DriftDetector.State state) {
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
    public void onTimer(long timestamp, OnTimerContext context, Collector<Report> out) throws Exception {
        String lane = context.getCurrentKey();
        timers.remove(lane);
        DriftDetector.State state = state();
        DriftDetector detector = new DriftDetector(state, generationsPerFalseAlarm);
        out.collect(show(report(lane, state, detector, false, detector.logEvidence())));
    }

    /** The state of the current key. Asked of Flink each time: it hands out a copy while a checkpoint still writes the last one. */
    private DriftDetector.State state() throws Exception {
        StateCell<DriftDetector.State> kept = driftState.value();
        return kept == null ? new DriftDetector.State() : kept.get(DRIFT);
    }

    private static Report report(
            String lane, DriftDetector.State state, DriftDetector detector, boolean raised, double evidence) {
        return new Report(
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

    private Report show(Report report) {
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

    /**
     * What drift detection tells the lane's publisher.
     *
     * @param lane as text
     * @param raised true: an alarm was raised just now
     * @param alarm an alarm is on
     * @param alarms since the job's state began
     * @param alarmedAt the last one, epoch milliseconds; 0: none
     * @param generations seen
     * @param evidence logarithm of the test's statistic
     * @param novelty bits a token, recent mean; of the reference where the name says so
     * @param logLoss nats a prediction, likewise
     */
    public record Report(
            String lane,
            boolean raised,
            boolean alarm,
            long alarms,
            long alarmedAt,
            long generations,
            double evidence,
            double novelty,
            double noveltyReference,
            double logLoss,
            double logLossReference) {

        /** As a manifest carries it. */
        public DriftStanding toRecord() {
            return new DriftStanding(
                    alarm,
                    alarms,
                    Instant.ofEpochMilli(alarmedAt),
                    Double.isFinite(evidence) ? evidence : 0.0,
                    novelty,
                    noveltyReference,
                    logLoss,
                    logLossReference);
        }
    }

    /**
     * What is watched for drift: a generation's tokens, or a request's log-loss, one of the two.
     *
     * @param lane as text
     * @param sketch the generation's token buckets, see {@link io.tailrace.suffix.learn.TokenReference#sketch}; null where the loss is there
     * @param logLoss nats, summed over the predictions
     * @param predictions 0 where the sketch is there
     */
    public record Observation(String lane, short[] sketch, double logLoss, long predictions) {
        /** The side output of shards and of outcome aggregation that they come from. */
        public static final OutputTag<Observation> OUTPUT =
                new OutputTag<>("observations", TypeInformation.of(Observation.class));

        public static Observation ofTokens(String lane, short[] sketch) {
            return new Observation(lane, sketch, 0, 0);
        }

        public static Observation ofLoss(String lane, double logLoss, long predictions) {
            return new Observation(lane, null, logLoss, predictions);
        }
    }
}
