package io.tailrace.operators.publishing;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.Notice;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.SideThreads;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlHistory;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LearningOptions;
import io.tailrace.operators.store.DurableStoreFactory;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.LaneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.OpenContext;
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
 * Keyed by lane: folds level-0 segments into announced snapshots. The main output goes to topic snapshots, {@link #EVENTS}
 * to topic events.
 *
 * <p>Merges run on side threads, which hand their results over through a queue; a processing-time timer drains it in the
 * task's thread, where alone state is touched. A manifest names only files that were durable before it was emitted, and an
 * exactly-once sink makes it visible only with the checkpoint that holds the state it came from.
 */
public final class LanePublisher
        extends KeyedBroadcastProcessFunction<String, LaneInput, ControlCommand, OutgoingRecord>
        implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(LanePublisher.class);

    /** The side output of events. */
    public static final OutputTag<OutgoingRecord> EVENTS =
            new OutputTag<>("events", TypeInformation.of(OutgoingRecord.class));

    private static final long BUSY_TICK_MILLIS_MAX = 100;
    /** While a short fold runs, whose announcement shall make a checkpoint, and while flushes come in. */
    private static final long FOLD_TICK_MILLIS = 10;

    private static final int TICKS_PER_FOLD = 8;
    /** Of one task; at most two merges and one sweep a lane wait or run at any time. */
    private static final int MERGE_THREADS = 2;

    private final PublishingOptions options;
    private final LearningOptions learning;
    private final ModelCatalog models;
    private final DurableStoreFactory stores;
    private final ControlHistory history;
    private final String scratchParent;
    private final SideThreads threads;
    private final SerializableSupplier<Long> clockMillis;

    private transient BackgroundMerges merges;
    private transient List<ControlCommand> deletesAtStart;
    private transient Map<String, LaneWork> lanes;
    private transient CheckpointRhythm rhythm;
    private transient MapStateDescriptor<String, ControlCommand> deletesDescriptor;
    private transient ValueState<LaneState> laneState;

    /** @param scratchParent folder for local copies and scratch files; empty: the JVM's temporary folder */
    public LanePublisher(
            PublishingOptions options,
            LearningOptions learning,
            ModelCatalog models,
            DurableStoreFactory stores,
            ControlHistory history,
            String scratchParent) {
        this(
                options,
                learning,
                models,
                stores,
                history,
                scratchParent,
                SideThreads.daemons(MERGE_THREADS, "tailrace-merge"),
                System::currentTimeMillis);
    }

    LanePublisher(
            PublishingOptions options,
            LearningOptions learning,
            ModelCatalog models,
            DurableStoreFactory stores,
            ControlHistory history,
            String scratchParent,
            SideThreads threads,
            SerializableSupplier<Long> clockMillis) {
        this.options = options;
        this.learning = learning;
        this.models = models;
        this.stores = stores;
        this.history = history;
        this.scratchParent = scratchParent;
        this.threads = threads;
        this.clockMillis = clockMillis;
    }

    private static ValueStateDescriptor<LaneState> descriptor() {
        return new ValueStateDescriptor<>("lane", TypeInformation.of(LaneState.class));
    }

    @Override
    public void open(OpenContext context) throws Exception {
        laneState = getRuntimeContext().getState(descriptor());
        deletesDescriptor = ControlState.descriptor();
        lanes = new HashMap<>();
        rhythm = new CheckpointRhythm();
        deletesAtStart =
                history.read().stream().filter(ControlCommand::isDelete).toList();
        merges = BackgroundMerges.open(models, stores, scratchParent, options.cacheBytesMax(), threads);
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {}

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        rhythm.passed(clockMillis.get(), context.getCheckpointTimestamp());
    }

    @Override
    public void close() throws Exception {
        if (merges != null) {
            merges.close();
        }
    }

    @Override
    public void processElement(LaneInput input, ReadOnlyContext context, Collector<OutgoingRecord> out)
            throws Exception {
        if (!input.makesLane() && laneState.value() == null) {
            return; // what workers say of a lane that no generation has named makes no lane
        }
        var deletes = context.getBroadcastState(deletesDescriptor);
        LanePublication publication = publication(input.lane(), deletes);
        if (input.progress() != null) {
            publication.onProgress(input.progress());
        } else {
            hear(input, publication, context);
        }
        laneState.update(publication.state());
        LaneWork work = lanes.get(input.lane());
        work.awake = true;
        boolean flushed = input.progress() != null && input.progress().flushed() != null;
        if (flushed) {
            work.timing.flushed(context.timerService().currentProcessingTime());
        }
        scheduleTick(work, context.timerService(), flushed ? FOLD_TICK_MILLIS : busyTickMillis());
    }

    private void hear(LaneInput input, LanePublication publication, ReadOnlyContext context) {
        if (input.outcomes() != null) {
            publication.onOutcomes(input.outcomes());
        } else if (input.drift() != null) {
            publication.onDrift(input.drift());
        } else if (input.worker() != null) {
            publication.versions().onWorker(input.worker());
        } else if (input.announced() != null) {
            publication.versions().onAnnounced(input.announced());
        } else {
            learn(input, publication, context);
        }
    }

    private void learn(LaneInput input, LanePublication publication, ReadOnlyContext context) {
        LaneState state = publication.state();
        long now = context.timerService().currentProcessingTime();
        publication.retention().review(now).ifPresent(notice -> tell(notice, state.lane, now, context));
        LaneLearning lane = new LaneLearning(state.learning(), learning);
        lane.onReport(state.policy(), input.learning()).ifPresent(judgement -> {
            publication.onJudged(judgement, now);
            tell(judgement.notice(), state.lane, now, context);
        });
        lane.propose(state.policy(), state.policiesMade + 1, now).ifPresent(notice -> {
            state.policiesMade = Math.max(state.policiesMade, lane.trialNumber());
            tell(notice, state.lane, now, context);
        });
    }

    private static void tell(Notice notice, String lane, long now, ReadOnlyContext context) {
        LOG.info("lane {}: {}", lane, notice.message());
        events(lane, now, context).accept(notice);
    }

    private static Consumer<Notice> events(String lane, long now, ReadOnlyContext context) {
        return notice -> context.output(EVENTS, notice.toRecord(lane, now));
    }

    @Override
    public void processBroadcastElement(ControlCommand command, Context context, Collector<OutgoingRecord> out)
            throws Exception {
        var deletes = context.getBroadcastState(deletesDescriptor);
        if (command.isDelete()) {
            ControlState.keep(command, deletes, context.currentProcessingTime(), options.tombstoneMillis());
        }
        context.applyToKeyedState(descriptor(), (lane, state) -> {
            LanePublication publication = publication(lane, deletes);
            LaneWork work = lanes.get(lane);
            if (command.concerns(work.laneId)) {
                new LaneCommands(publication, learning, clockMillis.get())
                        .apply(command)
                        .forEach(notice -> {
                            LOG.info("lane {}: {}", lane, notice.message());
                            context.output(EVENTS, notice.toRecord(lane, context.currentProcessingTime()));
                        });
                work.awake = true;
            }
            state.update(publication.state());
        });
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<OutgoingRecord> out) throws Exception {
        String lane = context.getCurrentKey();
        long now = context.timerService().currentProcessingTime();
        LaneWork work = lanes.get(lane);
        boolean busy = false;
        if (work == null || work.awake || !work.results.isEmpty() || now >= work.nextMaintenanceAt) {
            LanePublication publication = publication(lane, context.getBroadcastState(deletesDescriptor));
            work = lanes.get(lane);
            busy = new LaneRound(publication, work, merges, out::collect, events(lane, now, context), now)
                    .run(() -> models.identity(lane));
            laneState.update(publication.state());
        }
        if (work.nextTickAt <= timestamp) {
            scheduleTick(work, context.timerService(), busy ? busyTickMillis(work) : options.announceMillis());
        }
    }

    /** The lane's brain over its state; on first sight in this attempt the lane also hears of the deletes it may have missed. */
    private LanePublication publication(String lane, ReadOnlyBroadcastState<String, ControlCommand> deletes)
            throws Exception {
        LaneState state = laneState.value();
        boolean isNew = state == null;
        LanePublication publication = new LanePublication(isNew ? new LaneState(lane) : state, options);
        if (!lanes.containsKey(lane)) {
            LaneWork work = new LaneWork(
                    lane, options, models, rhythm, getRuntimeContext().getMetricGroup());
            lanes.put(lane, work);
            LaneId laneId = work.laneId;
            if (state != null && state.version > 0) {
                publication.versions().restored(clockMillis.get());
                publication.makeDue(AnnouncementCause.RESTORE);
            }
            LaneCommands commands = new LaneCommands(publication, learning, clockMillis.get());
            commands.takeUpDeletes(ControlState.deletesOf(laneId, deletes), false);
            commands.takeUpDeletes(
                    deletesAtStart.stream()
                            .filter(delete -> delete.concerns(laneId))
                            .toList(),
                    true);
        }
        return publication;
    }

    private long busyTickMillis() {
        return Math.min(BUSY_TICK_MILLIS_MAX, options.announceMillis());
    }

    /** A short fold is looked after often; where many lanes wait for a side thread, folds are long and looked after seldom. */
    private long busyTickMillis(LaneWork work) {
        long often = Math.max(FOLD_TICK_MILLIS, work.timing.leadMillis() / TICKS_PER_FOLD);
        boolean soon = work.foldInFlight || work.timing.isPausing();
        return soon ? Math.min(often, busyTickMillis()) : busyTickMillis();
    }

    /** Sets a timer at the next multiple of the pace, or when something that waits is to begin, unless an earlier one is set. */
    private static void scheduleTick(LaneWork work, TimerService timers, long paceMillis) {
        long now = timers.currentProcessingTime();
        long at = Math.min((now / paceMillis + 1) * paceMillis, work.wakeAt > now ? work.wakeAt : Long.MAX_VALUE);
        if (work.nextTickAt <= now || at < work.nextTickAt) {
            work.nextTickAt = at;
            timers.registerProcessingTimeTimer(at);
        }
    }
}
