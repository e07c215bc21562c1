package io.tailrace.operators.intake;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.operators.admission.OfferedGeneration;
import io.tailrace.operators.admission.RejectedRecord;
import io.tailrace.operators.admission.TopicNote;
import io.tailrace.operators.barriers.BeforeBarrier;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.state.StateCodec;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.TokenIds;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * Keyed by lane and shard: takes each admitted generation in once, within the quotas, and passes it on to its lane. It also passes it on to workers at once, so
 * that they need not wait for a snapshot ({@link #ADMITTED}). How many records it has counted it says with each checkpoint ({@link TopicNote#OUTPUT}).
 *
 * <p>A shard that gets no records any more forgets the request ids that it remembers ({@link Silence}), and no count.
 */
public final class ShardIntake
        extends KeyedBroadcastProcessFunction<String, OfferedGeneration, ControlCommand, ShardProgress>
        implements BeforeBarrier {
    private static final long serialVersionUID = 1L;
    private static final StateCodec<ShardProgress.Counters> COUNTERS =
            new StateCodec<>(ShardProgress.Counters.class, "Shard");
    private static final StateCodec<DuplicateHorizon.Chunk> HASHES =
            new StateCodec<>(DuplicateHorizon.Chunk.class, "Hashes");

    /** The side output for topic admitted: what was taken in, after a failure some of it twice. */
    public static final OutputTag<OutgoingRecord> ADMITTED =
            new OutputTag<>("admitted", TypeInformation.of(OutgoingRecord.class));

    private final IntakeOptions options;
    private final long tombstoneMillis;
    private final ControlCommand.History history;
    private final BoundTopics topics;
    private final SerializableSupplier<Long> clockMillis;

    private transient MapStateDescriptor<String, StateCell<ControlCommand>> deletesDescriptor;
    private transient ControlState controlState;
    private transient List<ControlCommand> deletesAtStart;
    private transient Map<String, Shard> shards;
    /** Of shards with a timer, by key. */
    private transient Map<String, Silence> silences;

    private transient ValueState<StateCell<ShardProgress.Counters>> countersState;
    private transient MapState<Long, StateCell<DuplicateHorizon.Chunk>> horizonState;
    /** Records counted since the last barrier. */
    private transient long taken;

    /**
     * @param tombstoneMillis how long a delete is remembered; longer than admission lets generations be late
     * @param history read at the start: a job restored from an old savepoint must pass on nothing that was deleted since
     * @param topics where generations come from
     */
    public ShardIntake(
            IntakeOptions options, long tombstoneMillis, ControlCommand.History history, BoundTopics topics) {
        this(options, tombstoneMillis, history, topics, System::currentTimeMillis);
    }

    ShardIntake(
            IntakeOptions options,
            long tombstoneMillis,
            ControlCommand.History history,
            BoundTopics topics,
            SerializableSupplier<Long> clockMillis) {
        this.options = options;
        this.tombstoneMillis = tombstoneMillis;
        this.history = history;
        this.topics = topics;
        this.clockMillis = clockMillis;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        countersState =
                getRuntimeContext().getState(new ValueStateDescriptor<>("shard-counters", StateCell.serializer()));
        horizonState = getRuntimeContext()
                .getMapState(
                        new MapStateDescriptor<>("duplicate-horizon", LongSerializer.INSTANCE, StateCell.serializer()));
        deletesDescriptor = ControlState.descriptor();
        controlState = new ControlState(tombstoneMillis);
        deletesAtStart =
                history.read().stream().filter(ControlCommand::isDelete).toList();
        shards = new HashMap<>();
        silences = new HashMap<>();
    }

    @Override
    public void beforeBarrier(SideOutput out) {
        if (taken > 0) {
            out.output(TopicNote.OUTPUT, TopicNote.taken(taken));
            taken = 0;
        }
    }

    @Override
    public void processElement(OfferedGeneration offered, ReadOnlyContext context, Collector<ShardProgress> out)
            throws Exception {
        long now = context.timerService().currentProcessingTime();
        AdmittedGeneration generation = offered.generation();
        Shard shard = shard(offered.shardKey(), context.getBroadcastState(deletesDescriptor));
        long counted = shard.rules().counters().records();
        ShardRules.Fate fate = shard.rules().offer(generation, shard.tombstones());
        taken += shard.rules().counters().records() - counted;
        shard.metrics().count(fate);
        keep(shard, fate);
        heard(offered.shardKey(), context.timerService());
        boolean isTaken = fate == ShardRules.Fate.TAKEN;
        out.collect(shard.rules().progress(isTaken ? generation : null));
        if (isTaken) {
            context.output(ADMITTED, admitted(shard, generation));
            observe(offered, context);
        }
        if (fate == ShardRules.Fate.OVER_QUOTA || fate == ShardRules.Fate.OVER_PRODUCER_QUOTA) {
            context.output(RejectedRecord.OUTPUT, RejectedRecord.of(overQuota(shard, generation, fate, now)));
        }
    }

    /** Repeats must teach nothing: an index that holds their text is always right on them. */
    private static void observe(OfferedGeneration taken, ReadOnlyContext context) {
        context.output(DriftWatch.Observation.OUTPUT, taken.observation());
        if (taken.isSampled()) {
            context.output(EvaluationSample.OUTPUT, taken.sample());
        }
    }

    @Override
    public void processBroadcastElement(ControlCommand command, Context context, Collector<ShardProgress> out)
            throws Exception {
        var deletes = context.getBroadcastState(deletesDescriptor);
        if (command.isDelete() && !deletes.contains(command.commandId())) {
            controlState.keep(command, deletes, context.currentProcessingTime());
            for (Shard shard : shards.values()) {
                if (command.concerns(shard.laneId())) {
                    addDeletes(shard, List.of(command));
                }
            }
        }
    }

    private void heard(String key, TimerService timers) {
        Silence silence = silences.get(key);
        if (silence == null) {
            silence = new Silence();
            silences.put(key, silence);
            waitForHorizon(silence, timers);
        }
        silence.heard();
    }

    private void waitForHorizon(Silence silence, TimerService timers) {
        long at = timers.currentProcessingTime() + options.duplicateHorizonMillis();
        silence.waitsUntil(at);
        timers.registerProcessingTimeTimer(at);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<ShardProgress> out) throws Exception {
        String key = context.getCurrentKey();
        Silence silence = silences.get(key);
        boolean restored = silence == null;
        if (restored) {
            silence = new Silence();
            silences.put(key, silence);
        } else if (!silence.isTimer(timestamp)) {
            return;
        }
        boolean early = context.timerService().currentProcessingTime() < timestamp;
        if (!restored && !early) {
            silence.passed();
        }
        if (silence.isOver()) {
            silences.remove(key);
            forget(key);
        } else {
            waitForHorizon(silence, context.timerService());
        }
    }

    /** The request ids go; the shard's numbers and quotas stay. */
    private void forget(String key) {
        horizonState.clear();
        Shard shard = shards.get(key);
        if (shard != null) {
            shard.rules().horizon().clear();
        }
    }

    /** The shard of the current key, taken up from state when it is met first. */
    private Shard shard(String key, ReadOnlyBroadcastState<String, StateCell<ControlCommand>> deletes)
            throws Exception {
        Shard known = shards.get(key);
        if (known != null) {
            return known;
        }
        Shard shard = new Shard(key, options, getRuntimeContext().getMetricGroup());
        Map<Long, DuplicateHorizon.Chunk> chunks = new HashMap<>();
        for (Map.Entry<Long, StateCell<DuplicateHorizon.Chunk>> entry : horizonState.entries()) {
            chunks.put(entry.getKey(), entry.getValue().get(HASHES));
        }
        StateCell<ShardProgress.Counters> counters = countersState.value();
        shard.rules().restore(counters == null ? ShardProgress.Counters.ZERO : counters.get(COUNTERS), chunks);
        addDeletes(shard, ControlState.deletesOf(shard.laneId(), deletes));
        addDeletes(
                shard,
                deletesAtStart.stream()
                        .filter(delete -> delete.concerns(shard.laneId()))
                        .toList());
        shards.put(key, shard);
        return shard;
    }

    private void addDeletes(Shard shard, List<ControlCommand> commands) {
        shard.addDeletes(commands, clockMillis.get() - tombstoneMillis);
    }

    private void keep(Shard shard, ShardRules.Fate fate) throws Exception {
        countersState.update(StateCell.of(shard.rules().counters(), COUNTERS));
        if (fate == ShardRules.Fate.TAKEN || fate == ShardRules.Fate.DELETED) {
            DuplicateHorizon horizon = shard.rules().horizon();
            horizonState.put(horizon.changedChunk(), StateCell.of(horizon.changedChunkContent(), HASHES));
        }
        for (long dropped : shard.rules().horizon().takeDroppedChunks()) {
            horizonState.remove(dropped);
        }
    }

    private static OutgoingRecord admitted(Shard shard, AdmittedGeneration generation) {
        AdmittedAnswer answer = new AdmittedAnswer(
                shard.laneId().toLane(),
                generation.requestHigh(),
                generation.requestLow(),
                TokenIds.toList(generation.promptTail()),
                ByteBuffer.wrap(generation.signature()),
                TokenIds.toList(generation.tokens()),
                Instant.ofEpochMilli(generation.completedAt()));
        return OutgoingRecord.of(shard.lane(), RecordCodec.ADMITTED_ANSWER.encode(answer));
    }

    private Rejection overQuota(Shard shard, AdmittedGeneration generation, ShardRules.Fate fate, long now) {
        boolean ofScope = fate == ShardRules.Fate.OVER_QUOTA;
        IntakeOptions.Quotas quotas = options.quotas();
        String detail = "%d tokens are over the quota of %s, %d tokens a minute over %d shards; raise it or send less"
                .formatted(
                        generation.tokens().length,
                        ofScope ? "the scope" : "producer " + generation.producer(),
                        ofScope ? quotas.scopeTokensPerMinute() : quotas.producerTokensPerMinute(),
                        options.shards());
        return new Rejection(
                ofScope ? RejectionReason.QUOTA_EXCEEDED : RejectionReason.PRODUCER_QUOTA_EXCEEDED,
                detail,
                topics.topic(generation.partition()),
                BoundTopics.partition(generation.partition()),
                generation.offset(),
                null,
                shard.laneId().toLane(),
                null,
                Instant.ofEpochMilli(now));
    }
}
