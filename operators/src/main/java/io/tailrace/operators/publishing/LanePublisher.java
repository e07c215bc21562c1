package io.tailrace.operators.publishing;

import io.tailrace.operators.Notice;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlHistory;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LearningOptions;
import io.tailrace.operators.store.SegmentStoreFactory;
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
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
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
        extends KeyedBroadcastProcessFunction<String, LaneInput, ControlCommand, OutgoingRecord> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(LanePublisher.class);

    /** The side output of events. */
    public static final OutputTag<OutgoingRecord> EVENTS =
            new OutputTag<>("events", TypeInformation.of(OutgoingRecord.class));

    private static final long BUSY_TICK_MILLIS_MAX = 100;

    private final PublishingOptions options;
    private final LearningOptions learning;
    private final ModelCatalog models;
    private final SegmentStoreFactory stores;
    private final ControlHistory history;
    private final String scratchParent;
    private final MergeThreads threads;

    private transient BackgroundMerges merges;
    private transient List<ControlCommand> deletesAtStart;
    private transient Map<String, LaneWork> lanes;
    private transient MapStateDescriptor<String, ControlCommand> deletesDescriptor;
    private transient ValueState<LaneState> laneState;

    /** @param scratchParent folder for local copies and scratch files; empty: the JVM's temporary folder */
    public LanePublisher(
            PublishingOptions options,
            LearningOptions learning,
            ModelCatalog models,
            SegmentStoreFactory stores,
            ControlHistory history,
            String scratchParent) {
        this(options, learning, models, stores, history, scratchParent, MergeThreads.daemons());
    }

    LanePublisher(
            PublishingOptions options,
            LearningOptions learning,
            ModelCatalog models,
            SegmentStoreFactory stores,
            ControlHistory history,
            String scratchParent,
            MergeThreads threads) {
        this.options = options;
        this.learning = learning;
        this.models = models;
        this.stores = stores;
        this.history = history;
        this.scratchParent = scratchParent;
        this.threads = threads;
    }

    private static ValueStateDescriptor<LaneState> descriptor() {
        return new ValueStateDescriptor<>("lane", TypeInformation.of(LaneState.class));
    }

    @Override
    public void open(OpenContext context) throws Exception {
        laneState = getRuntimeContext().getState(descriptor());
        deletesDescriptor = ControlState.descriptor();
        lanes = new HashMap<>();
        deletesAtStart =
                history.read().stream().filter(ControlCommand::isDelete).toList();
        merges = BackgroundMerges.open(models, stores, scratchParent, options.cacheBytesMax(), threads);
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
        if (input.progress() == null && !models.serves(LaneId.parse(input.lane()))) {
            return; // a worker's outcome for a model that is not ours makes no lane
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
        scheduleTick(work, context.timerService(), busyTickMillis());
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
        lane.onReport(input.learning()).ifPresent(judgement -> {
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
            deletes.put(command.commandId(), command);
        }
        context.applyToKeyedState(descriptor(), (lane, state) -> {
            LanePublication publication = publication(lane, deletes);
            LaneWork work = lanes.get(lane);
            if (command.concerns(work.laneId)) {
                new LaneCommands(publication, learning).apply(command).ifPresent(notice -> {
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
                    .run(models.identity(lane));
            laneState.update(publication.state());
        }
        if (work.nextTickAt <= timestamp) {
            scheduleTick(work, context.timerService(), busy ? busyTickMillis() : options.announceMillis());
        }
    }

    /** The lane's brain over its state; on first sight in this attempt the lane also hears of the deletes it may have missed. */
    private LanePublication publication(String lane, ReadOnlyBroadcastState<String, ControlCommand> deletes)
            throws Exception {
        LaneState state = laneState.value();
        boolean isNew = state == null;
        LanePublication publication = new LanePublication(isNew ? new LaneState(lane) : state, options);
        if (!lanes.containsKey(lane)) {
            LaneWork work =
                    new LaneWork(lane, options, models, getRuntimeContext().getMetricGroup());
            lanes.put(lane, work);
            LaneId laneId = work.laneId;
            LaneCommands commands = new LaneCommands(publication, learning);
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

    /** Sets a timer at the next multiple of the pace, unless an earlier one is set. */
    private static void scheduleTick(LaneWork work, TimerService timers, long paceMillis) {
        long now = timers.currentProcessingTime();
        long at = (now / paceMillis + 1) * paceMillis;
        if (work.nextTickAt <= now || at < work.nextTickAt) {
            work.nextTickAt = at;
            timers.registerProcessingTimeTimer(at);
        }
    }
}
