package io.tailrace.operators.admission;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.RejectionCounters;
import io.tailrace.operators.barriers.BeforeBarrier;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.state.StateCell;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets generations in by {@link AdmissionRules}; what they refuse goes to {@link RejectedRecord#OUTPUT}, and what belongs to a lane
 * that no snapshot was announced of yet to {@link OfferedGeneration#OF_NEW_LANES}, for {@link LaneRegister} to decide. Chooses a share of
 * what is admitted to be evaluated, all of it while the lane's drift alarm is on. What it can never read, how much it read of topics before this one, and with each
 * checkpoint how much in all, goes to {@link TopicNote#OUTPUT}.
 */
public final class Admission extends BroadcastProcessFunction<RawRecord, LaneSignal, OfferedGeneration>
        implements CheckpointedFunction, BeforeBarrier {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

    private final AdmissionRules rules;
    private final EvaluationSample.Sampling sampling;
    private final TopicIdentity identities;
    private final FirstOffsets first;
    private transient ListState<Tuple5<String, String, Integer, Long, Long>> readOffsets;
    /** By topic. */
    private transient Map<String, ReadOffsets> read;

    private transient boolean begun;
    private transient MapStateDescriptor<String, StateCell<LaneSignal>> signalsDescriptor;
    private transient Counter admitted;
    private transient Counter lost;
    private transient RejectionCounters rejected;

    /**
     * One task of admission.
     *
     * @param identities of the topics that the records come from
     * @param first offsets of those topics
     */
    public Admission(
            AdmissionOptions options,
            EvaluationSample.Sampling sampling,
            TopicIdentity identities,
            FirstOffsets first) {
        this.rules = new AdmissionRules(options);
        this.sampling = sampling;
        this.identities = identities;
        this.first = first;
    }

    /** After a rescale another task may read a partition, so all restore what all wrote down. */
    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        readOffsets = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>(
                        "read-offsets", Types.TUPLE(Types.STRING, Types.STRING, Types.INT, Types.LONG, Types.LONG)));
        read = new HashMap<>();
        for (Tuple5<String, String, Integer, Long, Long> partition : readOffsets.get()) {
            of(partition.f0).restore(partition.f1, partition.f2, partition.f3, partition.f4);
        }
        for (String topic : rules.topics()) {
            begin(topic);
        }
    }

    /** Topics that are read no longer keep what was read of them. */
    private void begin(String topic) throws IOException {
        ReadOffsets offsets = of(topic);
        if (!offsets.begin(identities.now(topic))) {
            LOG.info(
                    "topic {} is another one than this job's state was read from, where it had read {} records",
                    topic,
                    offsets.recordsBefore());
        }
    }

    private ReadOffsets of(String topic) {
        return read.computeIfAbsent(topic, name -> new ReadOffsets(name, first));
    }

    @Override
    public void beforeBarrier(SideOutput out) {
        long passed = read.values().stream().mapToLong(ReadOffsets::untold).sum();
        if (passed > 0) {
            out.output(TopicNote.OUTPUT, TopicNote.passed(passed));
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        readOffsets.update(
                read.values().stream().flatMap(topic -> topic.state().stream()).toList());
    }

    @Override
    public void open(OpenContext context) {
        signalsDescriptor = LaneSignal.descriptor();
        admitted = getRuntimeContext().getMetricGroup().counter(MetricNames.ADMITTED);
        lost = getRuntimeContext().getMetricGroup().counter(MetricNames.RECORDS_LOST);
        rejected = new RejectionCounters(getRuntimeContext().getMetricGroup(), AdmissionRules.REASONS);
    }

    @Override
    public void processElement(RawRecord raw, ReadOnlyContext context, Collector<OfferedGeneration> out)
            throws Exception {
        if (!begun) {
            context.output(TopicNote.OUTPUT, begin());
        }
        countLost(raw, context);
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

    /** Told with the first input, since a function has no output before. */
    private TopicNote begin() {
        begun = true;
        return TopicNote.begun(
                read.values().stream().mapToLong(ReadOffsets::recordsBefore).sum());
    }

    private void countLost(RawRecord raw, ReadOnlyContext context) throws IOException {
        LostRecords gap = of(raw.topic()).lostBefore(raw.partition(), raw.offset(), context.currentProcessingTime());
        if (gap != null) {
            LOG.error("{}", gap.message());
            lost.inc(gap.records());
            context.output(TopicNote.OUTPUT, TopicNote.lost(gap));
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
        if (!begun) {
            context.output(TopicNote.OUTPUT, begin());
        }
        var state = context.getBroadcastState(signalsDescriptor);
        if (signal.isSuperseded(state)) {
            return;
        }
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
}
