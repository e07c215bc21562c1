package io.tailrace.operators.indexing;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.SideThreads;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.operators.admission.ModelCatalog;
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
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.TaskFolder;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.TokenIds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.SerializableSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keyed by lane and shard: gathers admitted generations and flushes them as level-0 segments. The memtable is checkpointed
 * until its segment is durable and its reference is on its way, so a failure at any moment loses nothing; a file that was
 * written for a checkpoint that never completed is written again under the same name, or swept. When is {@link FlushCadence}'s.
 * What it gathers it also passes on at once, so that workers need not wait for the segment ({@link #ADMITTED}). How many records it has counted it says with each
 * checkpoint ({@link TopicNote#OUTPUT}).
 */
public final class ShardIndexer
        extends KeyedBroadcastProcessFunction<String, OfferedGeneration, ControlCommand, ShardProgress>
        implements CheckpointedFunction, BeforeBarrier {
    private static final long serialVersionUID = 1L;
    private static final StateCodec<AdmittedGeneration> GENERATION =
            new StateCodec<>(AdmittedGeneration.class, "Generation");
    private static final StateCodec<ShardProgress.Counters> COUNTERS =
            new StateCodec<>(ShardProgress.Counters.class, "Shard");
    private static final StateCodec<DuplicateHorizon.Chunk> HASHES =
            new StateCodec<>(DuplicateHorizon.Chunk.class, "Hashes");
    private static final Logger LOG = LoggerFactory.getLogger(ShardIndexer.class);
    /** A store answers many at once, and each after the same tens of milliseconds. */
    private static final int FLUSH_THREADS = 16;

    /** The side output for topic admitted: gathered generations, after a failure some of them twice. */
    public static final OutputTag<OutgoingRecord> ADMITTED =
            new OutputTag<>("admitted", TypeInformation.of(OutgoingRecord.class));

    private final IndexingOptions options;
    private final long tombstoneMillis;
    private final ModelCatalog models;
    private final DurableStore.Factory stores;
    private final ControlCommand.History history;
    private final String scratchParent;
    private final BoundTopics topics;
    private final SerializableSupplier<Long> clockMillis;
    private final SideThreads flushThreads;

    private transient MapStateDescriptor<String, StateCell<ControlCommand>> deletesDescriptor;
    private transient List<ControlCommand> deletesAtStart;
    private transient DurableStore store;
    private transient TaskFolder scratch;
    private transient ShardFlushes flushes;
    private transient Map<String, Shard> shards;
    private transient ListState<StateCell<AdmittedGeneration>> memtableState;
    private transient ValueState<StateCell<ShardProgress.Counters>> countersState;
    private transient MapState<Long, StateCell<DuplicateHorizon.Chunk>> horizonState;
    private transient FlushCadence cadence;
    private transient StorePause storePause;
    /** Records counted since the last barrier. */
    private transient long taken;

    /**
     * @param tombstoneMillis how long a delete is remembered; longer than admission lets generations be late
     * @param history read at the start: a job restored from an old savepoint must pass on nothing that was deleted since
     * @param scratchParent folder for scratch files; empty: the JVM's temporary folder
     * @param topics where generations come from
     */
    public ShardIndexer(
            IndexingOptions options,
            long tombstoneMillis,
            ModelCatalog models,
            DurableStore.Factory stores,
            ControlCommand.History history,
            String scratchParent,
            BoundTopics topics) {
        this(
                options,
                tombstoneMillis,
                models,
                stores,
                history,
                scratchParent,
                topics,
                System::currentTimeMillis,
                SideThreads.daemons(FLUSH_THREADS, "tailrace-flush"));
    }

    /** @param clockMillis as that of the timers */
    ShardIndexer(
            IndexingOptions options,
            long tombstoneMillis,
            ModelCatalog models,
            DurableStore.Factory stores,
            ControlCommand.History history,
            String scratchParent,
            BoundTopics topics,
            SerializableSupplier<Long> clockMillis,
            SideThreads flushThreads) {
        this.options = options;
        this.tombstoneMillis = tombstoneMillis;
        this.models = models;
        this.stores = stores;
        this.history = history;
        this.scratchParent = scratchParent;
        this.topics = topics;
        this.clockMillis = clockMillis;
        this.flushThreads = flushThreads;
    }

    private static ListStateDescriptor<StateCell<AdmittedGeneration>> memtableDescriptor() {
        return new ListStateDescriptor<>("memtable", StateCell.serializer());
    }

    @Override
    public void open(OpenContext context) throws Exception {
        memtableState = getRuntimeContext().getListState(memtableDescriptor());
        countersState =
                getRuntimeContext().getState(new ValueStateDescriptor<>("shard-counters", StateCell.serializer()));
        horizonState = getRuntimeContext()
                .getMapState(
                        new MapStateDescriptor<>("duplicate-horizon", LongSerializer.INSTANCE, StateCell.serializer()));
        deletesDescriptor = ControlState.descriptor();
        deletesAtStart =
                history.read().stream().filter(ControlCommand::isDelete).toList();
        shards = new HashMap<>();
        store = stores.open();
        scratch = TaskFolder.create(scratchParent, "shards");
        flushes = new ShardFlushes(models, store, scratch, clockMillis::get, flushThreads.open());
        cadence = new FlushCadence(options.flushAgeMillisMax());
        storePause = new StorePause();
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {}

    @Override
    public void beforeBarrier(SideOutput out) {
        if (taken > 0) {
            out.output(TopicNote.OUTPUT, TopicNote.taken(taken));
            taken = 0;
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        cadence.checkpointPassed(clockMillis.get(), context.getCheckpointTimestamp());
    }

    @Override
    public void close() throws Exception {
        if (flushes != null) {
            flushes.close();
        }
        if (scratch != null) {
            scratch.close();
        }
        if (store != null) {
            store.close();
        }
    }

    @Override
    public void processElement(OfferedGeneration offered, ReadOnlyContext context, Collector<ShardProgress> out)
            throws Exception {
        long now = context.timerService().currentProcessingTime();
        AdmittedGeneration generation = offered.generation();
        Shard shard = shard(offered.shardKey(), context.getBroadcastState(deletesDescriptor));
        long counted = shard.index().counters().records();
        ShardIndex.Fate fate = shard.index().offer(generation, shard.tombstones());
        taken += shard.index().counters().records() - counted;
        shard.metrics().count(fate);
        keep(shard, generation, fate);
        if (fate == ShardIndex.Fate.GATHERED) {
            context.output(ADMITTED, admitted(shard, generation));
            observe(offered, context);
        }
        if (fate == ShardIndex.Fate.OVER_QUOTA || fate == ShardIndex.Fate.OVER_PRODUCER_QUOTA) {
            context.output(RejectedRecord.OUTPUT, RejectedRecord.of(overQuota(shard, generation, fate, now)));
        }
        if (shard.index().isFull()) {
            flush(shard, now, out);
        }
        if (shard.claimTimer()) {
            setTimer(shard, cadence.flushAt(now), context.timerService());
        }
    }

    private void setTimer(Shard shard, long at, TimerService timers) {
        timers.registerProcessingTimeTimer(at);
        flushes.due(shard, at);
    }

    /** Repeats must teach nothing: an index that holds their text is always right on them. */
    private static void observe(OfferedGeneration gathered, ReadOnlyContext context) {
        context.output(DriftWatch.Observation.OUTPUT, gathered.observation());
        if (gathered.isSampled()) {
            context.output(EvaluationSample.OUTPUT, gathered.sample());
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<ShardProgress> out) throws Exception {
        Shard shard = shard(context.getCurrentKey(), context.getBroadcastState(deletesDescriptor));
        shard.timerFired();
        long now = context.timerService().currentProcessingTime();
        if (!storePause.lasts(now)) {
            flushes.begin(now);
        }
        boolean flushed = flush(shard, now, out);
        if (flushed && shard.index().isUnreported()) {
            out.collect(shard.index().report());
        }
        if (!flushed && shard.claimTimer()) {
            setTimer(shard, now + options.flushAgeMillisMax(), context.timerService());
        }
    }

    @Override
    public void processBroadcastElement(ControlCommand command, Context context, Collector<ShardProgress> out)
            throws Exception {
        var deletes = context.getBroadcastState(deletesDescriptor);
        if (command.isDelete() && !deletes.contains(command.commandId())) {
            ControlState.keep(command, deletes, context.currentProcessingTime(), tombstoneMillis);
            for (Shard shard : shards.values()) {
                if (command.concerns(shard.laneId())) {
                    addDeletes(shard, List.of(command));
                }
            }
        }
        if (command.isDelete() || command.command() == Command.FLUSH) {
            context.applyToKeyedState(memtableDescriptor(), (key, state) -> {
                Shard shard = shard(key, deletes);
                if (command.concerns(shard.laneId())) {
                    apply(command, shard, context.currentProcessingTime(), out);
                }
            });
        }
    }

    /** Applies a command to the shard of the current key. */
    private void apply(ControlCommand command, Shard shard, long now, Collector<ShardProgress> out) throws Exception {
        if (command.command() == Command.FLUSH) {
            flush(shard, now, out);
        } else if (shard.index().delete(shard.tombstones())) {
            memtableState.update(shard.index().memtable().stream()
                    .map(generation -> StateCell.of(generation, GENERATION))
                    .toList());
            countersState.update(StateCell.of(shard.index().counters(), COUNTERS));
            out.collect(shard.index().report());
            LOG.info(
                    "lane {}, shard {}: command {} removed generations from the memtable",
                    shard.lane(),
                    shard.number(),
                    command.commandId());
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
        List<AdmittedGeneration> generations = new ArrayList<>();
        memtableState.get().forEach(kept -> generations.add(kept.get(GENERATION)));
        shard.index()
                .restore(counters == null ? ShardProgress.Counters.ZERO : counters.get(COUNTERS), generations, chunks);
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

    private void keep(Shard shard, AdmittedGeneration generation, ShardIndex.Fate fate) throws Exception {
        countersState.update(StateCell.of(shard.index().counters(), COUNTERS));
        if (fate == ShardIndex.Fate.GATHERED) {
            memtableState.add(StateCell.of(generation, GENERATION));
        }
        if (fate == ShardIndex.Fate.GATHERED || fate == ShardIndex.Fate.DELETED) {
            DuplicateHorizon horizon = shard.index().horizon();
            horizonState.put(horizon.changedChunk(), StateCell.of(horizon.changedChunkContent(), HASHES));
        }
        for (long dropped : shard.index().horizon().takeDroppedChunks()) {
            horizonState.remove(dropped);
        }
    }

    /** Writes the memtable out; false if the store failed, now or a while ago, and it stays where it is. */
    private boolean flush(Shard shard, long now, Collector<ShardProgress> out) throws Exception {
        ShardIndex index = shard.index();
        if (index.isEmpty() || !models.serves(shard.laneId())) {
            return true;
        }
        if (storePause.lasts(now) && !index.isOverfull()) {
            return false;
        }
        long begunAt = clockMillis.get();
        try {
            ShardFlushes.Written written = flushes.write(shard);
            out.collect(index.flushed(written.segment()));
            memtableState.clear();
            storePause.ended();
            shard.metrics().countFlush(written.segment().liveTokens());
            cadence.flushed(written.tookMillis(), clockMillis.get() - begunAt);
            return true;
        } catch (IOException e) {
            shard.metrics().countStoreFailure();
            storePause.failed(now);
            if (index.isOverfull()) {
                throw new IOException(
                        "lane %s, shard %d: %d tokens wait and the store still fails: %s"
                                .formatted(shard.lane(), shard.number(), index.memtableTokens(), e.getMessage()),
                        e);
            }
            LOG.warn(
                    "lane {}, shard {}: flush of {} tokens failed, the memtable stays: {}",
                    shard.lane(),
                    shard.number(),
                    index.memtableTokens(),
                    e.getMessage());
            return false;
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

    private Rejection overQuota(Shard shard, AdmittedGeneration generation, ShardIndex.Fate fate, long now) {
        boolean ofScope = fate == ShardIndex.Fate.OVER_QUOTA;
        IndexingOptions.Quotas quotas = options.quotas();
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
