package io.tailrace.operators.outcomes;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.state.StateCodec;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Keyed by lane: adds outcomes up, fits cost curves to their step times, and reports both at most once a second; their log-loss goes to
 * {@link DriftWatch.Observation#OUTPUT}. An outcome that comes again changes nothing ({@link RecentOutcomes}).
 *
 * <p>Whoever may write outcomes can invent scopes. Lanes that the job has announced are always taken up, and have metrics. Of others, which may be new,
 * a task takes up no more than the job may have lanes, counted since it started.
 */
public final class OutcomeAggregation extends KeyedCoProcessFunction<String, RequestOutcome, LaneSignal, LaneOutcome> {
    private static final long serialVersionUID = 1L;
    private static final long REPORT_MILLIS = 1_000;
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
    /** A lane without outcomes for so long is forgotten: anyone who may write outcomes may name scopes. */
    static final long DAYS_KEPT = 30;

    private static final StateCodec<LaneOutcome.Totals> TOTALS = new StateCodec<>(LaneOutcome.Totals.class, "Verified");
    private static final StateCodec<RecentOutcomes> RECENT = new StateCodec<>(RecentOutcomes.class, "Outcomes");
    private static final StateCodec<CostState> COSTS = new StateCodec<>(CostState.class, "Costs");

    private final int lanesMax;
    private transient Counter rejected;
    private transient ValueState<StateCell<LaneOutcome.Totals>> totals;
    private transient ValueState<StateCell<CostState>> costs;
    private transient ValueState<StateCell<RecentOutcomes>> recent;
    private transient ValueState<Long> lastAt;
    private transient ValueState<Boolean> announced;
    private transient Map<String, LaneOutcome.Totals> shown;
    /** Lanes that were taken up and are not announced. */
    private transient Set<String> strangers;
    /** Lanes whose outcomes are to be reported, as far as they came since the task started. */
    private transient Set<String> unreported;

    public OutcomeAggregation(int lanesMax) {
        this.lanesMax = lanesMax;
    }

    @Override
    public void open(OpenContext context) {
        rejected = getRuntimeContext().getMetricGroup().counter(MetricNames.OUTCOMES_REJECTED);
        totals = getRuntimeContext().getState(new ValueStateDescriptor<>("outcome-totals", StateCell.serializer()));
        costs = getRuntimeContext().getState(new ValueStateDescriptor<>("cost-fits", StateCell.serializer()));
        recent = getRuntimeContext().getState(new ValueStateDescriptor<>("recent-outcomes", StateCell.serializer()));
        lastAt = getRuntimeContext().getState(new ValueStateDescriptor<>("last-outcome-day", Types.LONG));
        announced = getRuntimeContext().getState(new ValueStateDescriptor<>("announced-lane", Types.BOOLEAN));
        shown = new ConcurrentHashMap<>();
        strangers = new HashSet<>();
        unreported = new HashSet<>();
    }

    @Override
    public void processElement1(RequestOutcome outcome, Context context, Collector<LaneOutcome> out) throws Exception {
        StateCell<LaneOutcome.Totals> before = totals.value();
        if (!hasPlace(outcome.lane())) {
            rejected.inc();
            return;
        }
        if (isRepeat(outcome.hash())) {
            return;
        }
        LaneOutcome.Totals sum = (before == null ? LaneOutcome.Totals.ZERO : before.get(TOTALS)).plus(outcome.totals());
        totals.update(StateCell.of(sum, TOTALS));
        fit(outcome, context.timerService().currentProcessingTime());
        if (announced.value() != null) {
            show(outcome.lane(), sum);
        }
        long now = context.timerService().currentProcessingTime();
        context.timerService().registerProcessingTimeTimer((now / REPORT_MILLIS + 1) * REPORT_MILLIS);
        unreported.add(outcome.lane());
        keepFrom(now / DAY_MILLIS, context);
        if (outcome.loss() != null) {
            context.output(DriftWatch.Observation.OUTPUT, outcome.loss());
        }
    }

    /** The job has this lane. */
    @Override
    public void processElement2(LaneSignal signal, Context context, Collector<LaneOutcome> out) throws Exception {
        announced.update(true);
        strangers.remove(signal.lane());
        if (totals.value() != null) {
            show(signal.lane(), totals.value().get(TOTALS));
        }
    }

    private boolean hasPlace(String lane) throws Exception {
        if (announced.value() != null || strangers.contains(lane)) {
            return true;
        }
        return strangers.size() < lanesMax && strangers.add(lane);
    }

    private boolean isRepeat(long hash) throws Exception {
        StateCell<RecentOutcomes> kept = recent.value();
        StateCell<RecentOutcomes> hashes = kept == null ? StateCell.of(new RecentOutcomes(), RECENT) : kept;
        boolean isNew = hashes.get(RECENT).add(hash);
        recent.update(hashes);
        return !isNew;
    }

    /** Once a day, so that timers are set seldom; one a lane waits. */
    private void keepFrom(long day, Context context) throws Exception {
        Long before = lastAt.value();
        if (before == null || before < day) {
            if (before != null) {
                context.timerService().deleteProcessingTimeTimer(end(before));
            }
            lastAt.update(day);
            context.timerService().registerProcessingTimeTimer(end(day));
        }
    }

    /** When a lane is forgotten whose last outcome came on that day. */
    private static long end(long day) {
        return (day + DAYS_KEPT) * DAY_MILLIS;
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<LaneOutcome> out) throws Exception {
        if (totals.value() == null) {
            return;
        }
        String lane = context.getCurrentKey();
        boolean isNew = unreported.remove(lane);
        long end = lastAt.value() == null ? Long.MAX_VALUE : end(lastAt.value());
        if (timestamp >= end && context.timerService().currentProcessingTime() >= timestamp) {
            forget(lane);
            return;
        }
        if (timestamp >= end) {
            context.timerService().registerProcessingTimeTimer(end);
        }
        if (timestamp < end || isNew) {
            report(lane, out);
        }
    }

    private void forget(String lane) {
        totals.clear();
        costs.clear();
        recent.clear();
        lastAt.clear();
        strangers.remove(lane);
    }

    private void report(String lane, Collector<LaneOutcome> out) throws Exception {
        StateCell<CostState> fits = costs.value();
        out.collect(new LaneOutcome(
                lane,
                totals.value().get(TOTALS),
                fits == null ? List.of() : fits.get(COSTS).fitted()));
    }

    private void fit(RequestOutcome outcome, long now) throws Exception {
        StateCell<CostState> kept = costs.value();
        StateCell<CostState> fits = kept == null ? StateCell.of(new CostState(), COSTS) : kept;
        fits.get(COSTS).add(outcome, now);
        costs.update(fits);
    }

    private void show(String lane, LaneOutcome.Totals sum) {
        if (shown.put(lane, sum) == null) {
            MetricGroup group = getRuntimeContext().getMetricGroup().addGroup(MetricNames.LANE, lane);
            Gauge<Long> requests = () -> shown.get(lane).requests();
            Gauge<Double> acceptedPerStep = () -> shown.get(lane).acceptedPerStep();
            Gauge<Double> acceptanceRate = () -> shown.get(lane).acceptanceRate();
            group.gauge(MetricNames.OUTCOME_REQUESTS, requests);
            group.gauge(MetricNames.ACCEPTED_PER_STEP, acceptedPerStep);
            group.gauge(MetricNames.ACCEPTANCE_RATE, acceptanceRate);
        }
    }
}
