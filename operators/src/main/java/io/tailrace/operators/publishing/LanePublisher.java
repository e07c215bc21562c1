package io.tailrace.operators.publishing;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.JobEpoch;
import io.tailrace.operators.Notice;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.SideThreads;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.timers.WokenByBroadcast;
import io.tailrace.schemas.LaneId;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
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
 * Keyed by lane: folds generations into announced snapshots. Those that wait for a fold are checkpointed, so a failure at any moment loses nothing. The main output goes to topic snapshots, {@link #EVENTS}
 * to topic events.
 *
 * <p>Merges run on side threads, which hand their results over through a queue; a processing-time timer drains it in the
 * task's thread, where alone state is touched. A manifest names only files that were durable before it was emitted, and an
 * exactly-once sink makes it visible only with the checkpoint that holds the state it came from.
 */
public final class LanePublisher
        extends KeyedBroadcastProcessFunction<String, LaneMessage, ControlCommand, OutgoingRecord>
        implements CheckpointedFunction, CheckpointListener, WokenByBroadcast<String> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(LanePublisher.class);

    /** The side output of events. */
    public static final OutputTag<OutgoingRecord> EVENTS =
            new OutputTag<>("events", TypeInformation.of(OutgoingRecord.class));

    private static final long BUSY_TICK_MILLIS_MAX = 100;
    /** While a short fold runs, whose announcement shall make a checkpoint. */
    private static final long FOLD_TICK_MILLIS = 10;

    private static final int TICKS_PER_FOLD = 8;
    /** Of one task, for folds, and as many for all else; at most two merges and one sweep a lane wait or run at any time. */
    private static final int MERGE_THREADS = 2;

    private final PublishingOptions options;
    private final LaneLearning.Options learning;
    private final ModelCatalog models;
    private final DurableStore.Factory stores;
    private final ControlCommand.History history;
    private final JobEpoch epochs;
    private final String scratchParent;
    private final SideThreads threads;
    private final SerializableSupplier<Long> clockMillis;
    private final Rest rest;

    private transient BackgroundMerges merges;
    private transient long epoch;
    private transient ControlState controlState;
    private transient List<ControlCommand> deletesAtStart;
    private transient Map<String, LaneWork> lanes;
    /** Lanes at rest that a command just heard concerns. */
    private transient List<String> woken;

    private transient CheckpointRhythm rhythm;
    private transient CompletedCheckpoints checkpoints;
    private transient MapStateDescriptor<String, StateCell<ControlCommand>> deletesDescriptor;
    private transient StateCell.Form<Lane> form;
    private transient ValueState<StateCell<Lane>> laneState;

    /**
     * A publisher of all lanes.
     *
     * @param epochs under which claim the job writes
     * @param scratchParent folder for local copies and scratch files; empty: the JVM's temporary folder
     */
    public LanePublisher(
            PublishingOptions options,
            LaneLearning.Options learning,
            ModelCatalog models,
            DurableStore.Factory stores,
            ControlCommand.History history,
            JobEpoch epochs,
            String scratchParent) {
        this(
                options,
                learning,
                models,
                stores,
                history,
                epochs,
                scratchParent,
                SideThreads.daemons(MERGE_THREADS, "tailrace-merge"),
                System::currentTimeMillis,
                Thread::sleep);
    }

    LanePublisher(
            PublishingOptions options,
            LaneLearning.Options learning,
            ModelCatalog models,
            DurableStore.Factory stores,
            ControlCommand.History history,
            JobEpoch epochs,
            String scratchParent,
            SideThreads threads,
            SerializableSupplier<Long> clockMillis,
            Rest rest) {
        this.options = options;
        this.learning = learning;
        this.models = models;
        this.stores = stores;
        this.history = history;
        this.epochs = epochs;
        this.scratchParent = scratchParent;
        this.threads = threads;
        this.clockMillis = clockMillis;
        this.rest = rest;
    }

    /** How the task's thread waits. */
    interface Rest extends Serializable {
        void sleep(long millis) throws InterruptedException;
    }

    private static ValueStateDescriptor<StateCell<Lane>> descriptor() {
        return new ValueStateDescriptor<>("lane", StateCell.serializer());
    }

    @Override
    public void open(OpenContext context) throws Exception {
        form = Lane.form(options, learning);
        laneState = getRuntimeContext().getState(descriptor());
        deletesDescriptor = ControlState.descriptor();
        controlState = new ControlState(options.tombstoneMillis());
        lanes = new HashMap<>();
        woken = new ArrayList<>();
        rhythm = new CheckpointRhythm();
        checkpoints = new CompletedCheckpoints();
        epoch = epochs.of(getRuntimeContext().getJobInfo());
        deletesAtStart =
                history.read().stream().filter(ControlCommand::isDelete).toList();
        MergeHeap heap = MergeHeap.ofThisProcess();
        heap.requireRoomFor(options);
        merges = BackgroundMerges.open(models, stores, scratchParent, options.cacheBytesMax(), heap, threads);
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {}

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        rhythm.passed(clockMillis.get(), context.getCheckpointTimestamp());
        checkpoints.taken(context.getCheckpointId(), clockMillis.get());
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        checkpoints.complete(checkpointId);
    }

    @Override
    public void close() throws Exception {
        if (lanes != null) {
            lanes.values().forEach(LaneWork::leave);
        }
        if (merges != null) {
            merges.close();
        }
    }

    @Override
    public void processElement(LaneMessage message, ReadOnlyContext context, Collector<OutgoingRecord> out)
            throws Exception {
        StateCell<Lane> cell = laneState.value();
        if (cell == null && !message.makesLane()) {
            return; // what workers say of a lane that no generation has named makes no lane
        }
        long now = context.timerService().currentProcessingTime();
        cell = opened(cell, message.lane(), context.getBroadcastState(deletesDescriptor));
        LaneInput input = message.input();
        tell(message.lane(), cell.get(form).apply(input, now), events(message.lane(), now, context::output));
        laneState.update(cell);
        LaneWork work = lanes.get(message.lane());
        work.at(now);
        work.awake = true;
        makeRoom(cell.get(form), work, context, out);
        scheduleTick(work, context.timerService(), atPace(now, busyTickMillis()));
    }

    /**
     * Where generations come faster than they can be folded, those that come next wait in the stream. A file that cannot be read is tried again after each
     * rest until it is given up: a restart would begin to count its times anew.
     */
    private void makeRoom(Lane lane, LaneWork work, ReadOnlyContext context, Collector<OutgoingRecord> out)
            throws Exception {
        long rested = Long.MIN_VALUE;
        while (work.isOverfull(lane)) {
            long now = Math.max(rested, context.timerService().currentProcessingTime());
            if (!work.isFolding()) {
                long millis = work.foldFailure().isPresent() ? work.restMillis(now) : 0;
                rest.sleep(millis);
                now += millis;
                rested = now;
                work.restNoLonger();
            }
            round(lane, work, events(lane.name(), now, context::output), out, now);
            Throwable failure = work.foldFailure().orElse(null);
            if (failure != null && !(failure instanceof SegmentMerge.UnreadableFileException)) {
                throw new IOException(
                        "lane %s: %d tokens wait, which is as much as may, and cannot be folded: %s"
                                .formatted(lane.name(), lane.layout().tokensWaiting(), failure.getMessage()),
                        failure);
            }
            if (work.isOverfull(lane) && work.isFolding()) {
                work.awaitFold();
            }
        }
    }

    private boolean round(Lane lane, LaneWork work, Consumer<Notice> events, Collector<OutgoingRecord> out, long now) {
        return new LaneRound(lane, epoch, work, merges, checkpoints.to(), out::collect, events, now)
                .run(() -> models.identity(lane.name()));
    }

    private static void tell(String lane, List<Notice> notices, Consumer<Notice> events) {
        for (Notice notice : notices) {
            LOG.info("lane {}: {}", lane, notice.message());
            events.accept(notice);
        }
    }

    @Override
    public void processBroadcastElement(ControlCommand command, Context context, Collector<OutgoingRecord> out)
            throws Exception {
        var deletes = context.getBroadcastState(deletesDescriptor);
        if (command.isDelete()) {
            controlState.keep(command, deletes, context.currentProcessingTime());
        }
        context.applyToKeyedState(descriptor(), (lane, state) -> {
            if (!command.concerns(laneId(lane))) {
                return; // while a checkpoint is written, what is asked for is copied
            }
            StateCell<Lane> cell = opened(state.value(), lane, deletes);
            var notices = cell.get(form).apply(new LaneInput.Commanded(command), clockMillis.get());
            tell(lane, notices, events(lane, context.currentProcessingTime(), context::output));
            lanes.get(lane).awake = true;
            woken.add(lane);
            state.update(cell);
        });
    }

    @Override
    public List<String> takeWoken() {
        List<String> taken = woken;
        woken = new ArrayList<>();
        return taken;
    }

    private LaneId laneId(String lane) {
        LaneWork work = lanes.get(lane);
        return work == null ? LaneId.parse(lane) : work.laneId;
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<OutgoingRecord> out) throws Exception {
        String name = context.getCurrentKey();
        long now = context.timerService().currentProcessingTime();
        LaneWork work = lanes.get(name);
        if (work != null) {
            work.at(now);
        }
        boolean busy = false;
        if (work == null || work.awake || !work.results.isEmpty() || now >= work.nextMaintenanceAt) {
            StateCell<Lane> cell = opened(laneState.value(), name, context.getBroadcastState(deletesDescriptor));
            work = lanes.get(name);
            busy = round(cell.get(form), work, events(name, now, context::output), out, now);
            laneState.update(cell);
        }
        if (work.nextTickAt <= timestamp) {
            work.nextTickAt = Long.MIN_VALUE; // it fired, although it may have been ahead
        }
        scheduleTick(work, context.timerService(), nextTick(work, busy, now));
    }

    /** A lane at rest has no timer but that of its maintenance: there may be thousands. */
    private long nextTick(LaneWork work, boolean busy, long now) {
        if (!busy && !work.awake) {
            return work.nextMaintenanceAt;
        }
        return atPace(now, busy ? busyTickMillis(work) : options.announceMillis());
    }

    private Consumer<Notice> events(String lane, long now, BiConsumer<OutputTag<OutgoingRecord>, OutgoingRecord> side) {
        return notice -> side.accept(EVENTS, notice.toRecord(lane, now, epoch));
    }

    /** The lane of a key; on first sight in this attempt it also hears of the deletes it may have missed. */
    private StateCell<Lane> opened(
            StateCell<Lane> kept, String name, ReadOnlyBroadcastState<String, StateCell<ControlCommand>> deletes)
            throws Exception {
        StateCell<Lane> cell =
                kept == null ? StateCell.of(new Lane(Lane.State.begin(name), options, learning), form) : kept;
        if (!lanes.containsKey(name)) {
            LaneWork work = new LaneWork(
                    name,
                    options,
                    models,
                    rhythm,
                    WaitingRoom.ofThisProcess(),
                    getRuntimeContext().getMetricGroup());
            lanes.put(name, work);
            List<ControlCommand> missed = deletesAtStart.stream()
                    .filter(delete -> delete.concerns(work.laneId))
                    .toList();
            var resumed = new LaneInput.Resumed(ControlState.deletesOf(work.laneId, deletes), missed);
            cell.get(form).apply(resumed, clockMillis.get());
        }
        return cell;
    }

    private long busyTickMillis() {
        return Math.min(BUSY_TICK_MILLIS_MAX, options.announceMillis());
    }

    /** A short fold is looked after often; where many lanes wait for a side thread, folds are long and looked after seldom. */
    private long busyTickMillis(LaneWork work) {
        long often = Math.max(FOLD_TICK_MILLIS, work.timing.leadMillis() / TICKS_PER_FOLD);
        return work.isFolding() ? Math.min(often, busyTickMillis()) : busyTickMillis();
    }

    /** At the next multiple of the pace: lanes that are busy have their rounds together. */
    private static long atPace(long now, long paceMillis) {
        return (now / paceMillis + 1) * paceMillis;
    }

    /** Sets a timer at that time, or when something that waits is to begin, unless an earlier one is set. */
    private static void scheduleTick(LaneWork work, TimerService timers, long latest) {
        long now = timers.currentProcessingTime();
        long at = Math.min(latest, work.wakeAt > now ? work.wakeAt : Long.MAX_VALUE);
        if (work.nextTickAt <= now || at < work.nextTickAt) {
            work.nextTickAt = at;
            timers.registerProcessingTimeTimer(at);
        }
    }
}
