package io.tailrace.operators.publishing;

import io.tailrace.operators.Notice;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlHistory;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LearningOptions;
import io.tailrace.operators.store.ScratchFolder;
import io.tailrace.operators.store.SegmentStore;
import io.tailrace.operators.store.SegmentStoreFactory;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
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
    private static final long ACCOUNTING_MILLIS = 1_000;
    private static final long MAINTENANCE_MILLIS = 30_000;

    private final PublishingOptions options;
    private final LearningOptions learning;
    private final ModelCatalog models;
    private final SegmentStoreFactory stores;
    private final ControlHistory history;
    private final String scratchParent;
    private final MergeThreads threads;

    private transient SegmentStore store;
    private transient ScratchFolder scratch;
    private transient SegmentMerge merge;
    private transient ExecutorService executor;
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
        store = stores.open();
        scratch = ScratchFolder.create(scratchParent, "lanes");
        SegmentCache cache = new SegmentCache(store, scratch.newFolder(), options.cacheBytesMax());
        merge = new SegmentMerge(models, store, cache, scratch);
        executor = threads.open();
    }

    @Override
    public void close() throws Exception {
        if (executor != null) {
            executor.shutdownNow();
            if (!executor.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("a merge still runs after 10 s; its files are left behind in {}", scratch.root());
            }
        }
        if (scratch != null) {
            scratch.close();
        }
        if (store != null) {
            store.close();
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
            publication.onWorker(input.worker());
        } else if (input.announced() != null) {
            publication.onAnnounced(input.announced());
        } else {
            learn(input, publication, context);
        }
    }

    private void learn(LaneInput input, LanePublication publication, ReadOnlyContext context) {
        LaneState state = publication.state();
        long now = context.timerService().currentProcessingTime();
        LaneLearning lane = new LaneLearning(state.learning(), learning);
        lane.onReport(input.learning()).ifPresent(judgement -> {
            if (judgement.adopted() != null) {
                publication.adopt(judgement.adopted());
            }
            tell(judgement.notice(), state.lane, now, context);
        });
        lane.propose(state.policy(), state.policiesMade + 1, now).ifPresent(notice -> {
            state.policiesMade =
                    Math.max(state.policiesMade, state.learning().candidate.number());
            tell(notice, state.lane, now, context);
        });
    }

    private static void tell(Notice notice, String lane, long now, ReadOnlyContext context) {
        LOG.info("lane {}: {}", lane, notice.message());
        context.output(EVENTS, notice.toRecord(lane, now));
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
            busy = tick(publication, work, now, context, out);
            laneState.update(publication.state());
        }
        if (work.nextTickAt <= timestamp) {
            scheduleTick(work, context.timerService(), busy ? busyTickMillis() : options.announceMillis());
        }
    }

    /** One round: adopt what is done, announce what is due, plan what is next. True if something is under way. */
    private boolean tick(
            LanePublication publication, LaneWork work, long now, OnTimerContext context, Collector<OutgoingRecord> out)
            throws Exception {
        String lane = publication.state().lane;
        adoptResults(publication, work, now, context);
        if (!work.retired) {
            publication.expire(now);
            announce(publication, work, now, context, out);
            if (!work.isPaused(now)) {
                startMerges(publication, work, now);
            }
        }
        if (now >= work.nextMaintenanceAt) {
            work.nextMaintenanceAt = now + MAINTENANCE_MILLIS;
            startSweep(work, publication.referencedPaths(), lane, now);
        }
        boolean accounted = account(publication, work, now, context);
        work.metrics.show(publication);
        boolean busy = work.isInFlight() || (publication.isBusy() && !work.retired);
        work.awake = busy || !accounted;
        return busy;
    }

    private void adoptResults(LanePublication publication, LaneWork work, long now, OnTimerContext context) {
        String lane = publication.state().lane;
        for (MergeOutcome outcome = work.results.poll(); outcome != null; outcome = work.results.poll()) {
            work.landed(outcome.plan(), now);
            if (outcome.failure() != null) {
                work.failed(now);
                work.metrics.countStoreFailure();
                LOG.warn("lane {}: merge failed, the announced snapshot stays", lane, outcome.failure());
                String message = "merge failed, the announced snapshot stays: "
                        + outcome.failure().getMessage();
                context.output(EVENTS, new Notice(EventKind.STORE_UNAVAILABLE, message, Map.of()).toRecord(lane, now));
            } else {
                work.succeeded();
                work.metrics.countMerge();
                if (!publication.adopt(outcome)) {
                    LOG.info(
                            "lane {}: a merge of {} segments no longer fits and is planned again",
                            lane,
                            outcome.plan().inputs().size());
                }
            }
        }
    }

    private void announce(
            LanePublication publication,
            LaneWork work,
            long now,
            OnTimerContext context,
            Collector<OutgoingRecord> out) {
        String lane = publication.state().lane;
        publication.announce(now, models.identity(lane)).ifPresent(announcement -> {
            SnapshotManifest manifest = announcement.manifest();
            out.collect(OutgoingRecord.of(
                    snapshotKey(lane, manifest.getVersion()), RecordCodec.SNAPSHOT_MANIFEST.encode(manifest)));
            announcement
                    .dropped()
                    .forEach(version -> out.collect(OutgoingRecord.tombstone(snapshotKey(lane, version))));
            work.metrics.announced(manifest.getCompletionTimesAdded(), now);
            LOG.debug(
                    "lane {}: version {} with {} segments",
                    lane,
                    manifest.getVersion(),
                    manifest.getSegments().size());
            if (announcement.deletesDone()) {
                String message = "every known delete is applied as of version %d; %d versions were dropped"
                        .formatted(manifest.getVersion(), announcement.dropped().size());
                LOG.info("lane {}: {}", lane, message);
                Map<String, Long> numbers =
                        Map.of("tokensDeleted", publication.state().tokensDeleted, "issuedTo", publication.deletedTo());
                context.output(EVENTS, new Notice(EventKind.DELETED, message, numbers).toRecord(lane, now));
            }
        });
    }

    private void startMerges(LanePublication publication, LaneWork work, long now) {
        if (!work.foldInFlight && (now >= work.foldNotBefore || publication.isUrgent())) {
            publication.planFold(now).ifPresent(plan -> {
                work.foldInFlight = true;
                submit(plan, work);
            });
        }
        if (!work.olderInFlight) {
            publication.planOlder(now).ifPresent(plan -> {
                work.olderInFlight = true;
                submit(plan, work);
            });
        }
    }

    private void submit(MergePlan plan, LaneWork work) {
        executor.execute(() -> {
            try {
                work.results.add(merge.run(plan));
            } catch (Exception e) {
                work.results.add(MergeOutcome.failed(plan, e));
            }
        });
    }

    private void startSweep(LaneWork work, Set<String> named, String lane, long now) {
        if (work.sweepInFlight) {
            return;
        }
        work.sweepInFlight = true;
        executor.execute(() -> {
            try {
                int removed = work.sweep.run(store, named, now);
                if (removed > 0) {
                    LOG.info("lane {}: {} files that nothing names any more were removed", lane, removed);
                }
            } catch (IOException e) {
                LOG.warn("lane {}: sweep failed, it is tried again: {}", lane, e.getMessage());
            } finally {
                work.sweepInFlight = false;
            }
        });
    }

    /** True unless numbers changed that could not be reported yet. */
    private boolean account(LanePublication publication, LaneWork work, long now, OnTimerContext context) {
        Map<String, Long> numbers = LaneAccounting.numbers(publication.state());
        if (numbers.equals(work.accounted)) {
            return true;
        }
        if (work.accountedAt != Long.MIN_VALUE && now < work.accountedAt + ACCOUNTING_MILLIS) {
            return false;
        }
        work.accounted = numbers;
        work.accountedAt = now;
        Notice notice = new Notice(EventKind.ACCOUNTING, "where the lane's records and tokens are", numbers);
        context.output(EVENTS, notice.toRecord(publication.state().lane, now));
        return true;
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

    private static String snapshotKey(String lane, long version) {
        return lane + "#" + version;
    }
}
