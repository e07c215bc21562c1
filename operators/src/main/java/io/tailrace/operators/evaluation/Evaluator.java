package io.tailrace.operators.evaluation;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.SideThreads;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.state.StateCodec;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.TaskFolder;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.MappedReads;
import io.tailrace.suffix.snapshot.MappedSegments;
import io.tailrace.suffix.snapshot.SegmentFolder;
import io.tailrace.suffix.snapshot.SegmentOpener;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
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
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keyed by lane and replica: evaluates sampled generations against the lane's last announced snapshot, which comes back through
 * topic snapshots, and tells the lane's publisher once a second what was learned.
 *
 * <p>Segments are fetched, checked and mapped as workers do it, on a side thread; a lane without a mapped snapshot is not evaluated.
 * Evaluations run on another ({@link EvaluationQueue}): this function only takes samples in, so that those who send them never wait for an evaluation.
 * What a replica has learned is keyed state, written down once a second: it moves with its key when the job is rescaled, and a failure loses
 * what the second before it taught.
 */
public final class Evaluator
        extends KeyedBroadcastProcessFunction<String, EvaluationSample, LaneSignal, LearningReport> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(Evaluator.class);
    private static final long REPORT_MILLIS = 1_000;
    private static final StateCodec<Replica.State> REPLICA = new StateCodec<>(Replica.State.class, "Replica");
    /** Followed lanes are looked after so often, at whole minutes. */
    private static final long LOOK_MILLIS = 60_000;
    /** A lane that nothing was evaluated of for so long is let go of until the next sample. */
    private static final long IDLE_MILLIS_MAX = 600_000;

    private final Options options;
    private final ModelCatalog models;
    private final DurableStore.Factory stores;
    private final String scratchParent;
    /** At most one load a lane waits or runs at any time. */
    private final SideThreads loadThreads;
    /** One: evaluations are done in their order. */
    private final SideThreads evaluationThread;

    private transient MapStateDescriptor<String, StateCell<LaneSignal>> signalsDescriptor;
    private transient ValueState<StateCell<Replica.State>> replicaState;
    private transient DurableStore store;
    private transient TaskFolder scratch;
    private transient SegmentFolder folder;
    private transient MappedSegments mapped;
    private transient ExecutorService loads;
    private transient EvaluationQueue evaluations;
    private transient Map<String, LaneFollowing> lanes;
    private transient Map<String, Replica> replicas;
    private transient Map<String, TrialFollowing> trials;
    private transient Set<String> timers;
    /** When a key's lane is looked after next. */
    private transient Map<String, Long> looks;

    private transient Map<String, Long> sampledAt;
    private transient Counter skipped;
    private transient long sweptAt;

    /** @param scratchParent folder for local copies; empty: the JVM's temporary folder */
    public Evaluator(Options options, ModelCatalog models, DurableStore.Factory stores, String scratchParent) {
        this(
                options,
                models,
                stores,
                scratchParent,
                SideThreads.daemons(1, "tailrace-evaluation-load"),
                SideThreads.daemons(1, "tailrace-evaluation"));
    }

    Evaluator(
            Options options,
            ModelCatalog models,
            DurableStore.Factory stores,
            String scratchParent,
            SideThreads loadThreads,
            SideThreads evaluationThread) {
        this.options = options;
        this.models = models;
        this.stores = stores;
        this.scratchParent = scratchParent;
        this.loadThreads = loadThreads;
        this.evaluationThread = evaluationThread;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        replicaState = getRuntimeContext().getState(new ValueStateDescriptor<>("replica", StateCell.serializer()));
        signalsDescriptor = LaneSignal.descriptor();
        store = stores.open();
        scratch = TaskFolder.create(scratchParent, "evaluation");
        folder = new SegmentFolder(
                store.source(),
                scratch.newFolder(),
                0, // what is not mapped is swept
                SegmentOpener.ownSegments(),
                Evaluator::warnOfDamage);
        mapped = new MappedSegments(folder);
        loads = loadThreads.open();
        lanes = new HashMap<>();
        replicas = new HashMap<>();
        trials = new HashMap<>();
        timers = new HashSet<>();
        looks = new HashMap<>();
        sampledAt = new HashMap<>();
        MetricGroup metrics = getRuntimeContext().getMetricGroup();
        skipped = metrics.counter(MetricNames.EVALUATION_SKIPPED, new ThreadSafeSimpleCounter());
        evaluations = new EvaluationQueue(
                evaluationThread.open(),
                options.busyShareMax(),
                metrics.counter(MetricNames.EVALUATED, new ThreadSafeSimpleCounter()),
                skipped);
    }

    @Override
    public void close() throws Exception {
        if (loads != null) {
            loads.shutdownNow();
            if (!loads.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("a snapshot is still being loaded after 10 s; its files are left behind");
            }
        }
        if (evaluations != null) {
            evaluations.close(() -> {
                lanes.values().forEach(LaneFollowing::close);
                trials.values().forEach(TrialFollowing::close);
            });
        }
        if (scratch != null) {
            scratch.close();
        }
        if (store != null) {
            store.close();
        }
    }

    @Override
    public void processElement(EvaluationSample sample, ReadOnlyContext context, Collector<LearningReport> out)
            throws Exception {
        var signals = context.getBroadcastState(signalsDescriptor);
        HeldSnapshot snapshot = following(sample.lane(), signals).current();
        sampledAt.put(sample.lane(), context.timerService().currentProcessingTime());
        lookSoon(context.getCurrentKey(), context.timerService());
        if (snapshot == null || snapshot.isDamaged() || snapshot.mayHold(sample.partition(), sample.offset())) {
            skipped.inc();
            if (snapshot != null && snapshot.isDamaged()) {
                followTrialAnew(sample.lane());
            }
            return;
        }
        evaluations.check();
        Replica replica = replica(context.getCurrentKey());
        long now = context.timerService().currentProcessingTime();
        int budget = budget(snapshot.policy().limits());
        Replica.Trial trial = trial(sample.lane(), snapshot, signals);
        boolean alarm = isAlarmed(sample.lane(), signals, now);
        replica.awaited();
        evaluations.offer(() -> evaluates(replica, sample, snapshot, budget, trial, alarm), replica::ended);
        reportSoon(context.getCurrentKey(), context.timerService());
    }

    /** False where a file was damaged, truncated or became unreadable on this disk: a version announced later is fetched anew. */
    private boolean evaluates(
            Replica replica,
            EvaluationSample sample,
            HeldSnapshot snapshot,
            int budget,
            Replica.Trial trial,
            boolean alarm) {
        if (snapshot.isDamaged()) {
            return false;
        }
        try {
            replica.evaluate(sample, snapshot.index(), budget, trial, alarm);
            MappedReads.await();
            return true;
        } catch (UncheckedIOException | InternalError e) {
            LOG.warn(
                    "lane {}: version {} is not evaluated against any more: {}",
                    sample.lane(),
                    snapshot.version(),
                    e.toString());
            snapshot.damaged();
            snapshot.files().forEach(this::fetchAnew);
            return false;
        }
    }

    /** The file may be one of its. */
    private void followTrialAnew(String lane) {
        TrialFollowing trial = trials.remove(lane);
        if (trial != null) {
            trial.files().forEach(this::fetchAnew);
            trial.close();
        }
    }

    private void fetchAnew(String sha256) {
        mapped.forget(sha256);
        try {
            folder.discard(sha256);
        } catch (IOException e) {
            LOG.warn("segment {} cannot be removed: {}", sha256, e.getMessage());
        }
    }

    private void reportSoon(String key, TimerService service) {
        if (timers.add(key)) {
            long now = service.currentProcessingTime();
            service.registerProcessingTimeTimer((now / REPORT_MILLIS + 1) * REPORT_MILLIS);
        }
    }

    private void lookSoon(String key, TimerService service) {
        if (!looks.containsKey(key)) {
            long at = (service.currentProcessingTime() / LOOK_MILLIS + 1) * LOOK_MILLIS;
            looks.put(key, at);
            service.registerProcessingTimeTimer(at);
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<LearningReport> out) throws Exception {
        String key = context.getCurrentKey();
        String lane = key.substring(0, key.lastIndexOf('#'));
        TimerService service = context.timerService();
        if (looks.remove(key, timestamp)) {
            boolean followed = lanes.containsKey(lane);
            look(lane, service.currentProcessingTime());
            if (followed) { // if not any more, once again: what it had mapped is let go of behind its evaluations
                lookSoon(key, service);
            }
            if (!timers.contains(key)) {
                return;
            }
        }
        timers.remove(key);
        evaluations.check();
        Replica replica = replica(key);
        boolean awaited = replica.isAwaited();
        out.collect(replica.report(lane, Integer.parseInt(key.substring(lane.length() + 1))));
        replicaState.update(StateCell.of(replica.state(), REPLICA));
        if (awaited) {
            reportSoon(key, service);
        }
    }

    /** Lets go of the version before, or of a lane that rests, and once a minute of all files that are not mapped: what they hold may have been deleted. */
    private void look(String lane, long now) {
        LaneFollowing following = lanes.get(lane);
        if (following != null && now >= sampledAt.get(lane) + IDLE_MILLIS_MAX) {
            letGo(lane);
        } else if (following != null) {
            following.current();
        }
        if (now / LOOK_MILLIS != sweptAt / LOOK_MILLIS) {
            sweptAt = now;
            loads.execute(this::sweep);
        }
    }

    private void sweep() {
        try {
            folder.sweep(Set.of(), mapped::isMapped, identity -> true);
        } catch (IOException e) {
            LOG.warn("old segments could not be removed, it is tried again: {}", e.toString());
        }
    }

    /** What was learned is in state, as is what was announced. */
    private void letGo(String lane) {
        sampledAt.remove(lane);
        lanes.remove(lane).close();
        TrialFollowing trial = trials.remove(lane);
        if (trial != null) {
            trial.close();
        }
        replicas.keySet().removeIf(key -> key.startsWith(lane + "#") && !timers.contains(key));
    }

    @Override
    public void processBroadcastElement(LaneSignal signal, Context context, Collector<LearningReport> out)
            throws Exception {
        var state = context.getBroadcastState(signalsDescriptor);
        if (signal.isSuperseded(state)) {
            return;
        }
        LaneSignal before = LaneSignal.find(signal.kind(), signal.lane(), state);
        if (signal.isEnd()) {
            if (before != null && (signal.number() == 0 || signal.number() == before.number())) {
                state.remove(signal.key());
                endTrial(signal);
            }
        } else if (signal.kind() == LaneSignal.Kind.CANDIDATE || !isBehind(signal, before)) {
            signal.keep(state);
        }
        LaneFollowing lane = lanes.get(signal.lane());
        if (signal.kind() == LaneSignal.Kind.SNAPSHOT && lane != null) {
            lane.want(signal);
        }
    }

    /** Of a version before the last one that was announced. Of trials the last that was told counts: whoever can write the topic can make up a number that no other reaches. */
    private static boolean isBehind(LaneSignal signal, LaneSignal before) {
        return before != null && signal.epoch() == before.epoch() && signal.number() < before.number();
    }

    private void endTrial(LaneSignal signal) {
        TrialFollowing ended = signal.kind() == LaneSignal.Kind.CANDIDATE ? trials.remove(signal.lane()) : null;
        if (ended != null) {
            ended.close();
        }
    }

    private LaneFollowing following(String lane, ReadOnlyBroadcastState<String, StateCell<LaneSignal>> signals)
            throws Exception {
        LaneFollowing following = lanes.get(lane);
        if (following == null) {
            following = new LaneFollowing(lane, models, mapped, loads, evaluations);
            lanes.put(lane, following);
            LaneSignal newest = LaneSignal.find(LaneSignal.Kind.SNAPSHOT, lane, signals);
            if (newest != null && models.serves(LaneId.parse(lane))) {
                following.want(newest);
            }
        }
        return following;
    }

    /** A lane that drafts nothing is learned from as if it did: it may again. */
    private static int budget(DraftPolicy live) {
        return live.drafts() ? live.budgetMax() : DraftPolicy.defaults().budgetMax();
    }

    /** The replica of the current key, taken up from state when it is met first. */
    private Replica replica(String key) throws Exception {
        Replica replica = replicas.get(key);
        if (replica == null) {
            StateCell<Replica.State> kept = replicaState.value();
            replica = new Replica(kept == null ? new Replica.State() : kept.get(REPLICA), options);
            replicas.put(key, replica);
        }
        return replica;
    }

    /** What the lane's candidate is judged by here; null if none is on or it is not mapped yet. */
    private Replica.Trial trial(
            String lane, HeldSnapshot snapshot, ReadOnlyBroadcastState<String, StateCell<LaneSignal>> signals)
            throws Exception {
        LaneSignal candidate = LaneSignal.find(LaneSignal.Kind.CANDIDATE, lane, signals);
        TrialFollowing trial = trials.get(lane);
        if (trial == null && candidate != null) {
            trial = new TrialFollowing(lane, models, mapped, loads, evaluations);
            trials.put(lane, trial);
        }
        return trial == null ? null : trial.of(candidate, snapshot);
    }

    private static boolean isAlarmed(
            String lane, ReadOnlyBroadcastState<String, StateCell<LaneSignal>> signals, long now) throws Exception {
        LaneSignal alarm = LaneSignal.find(LaneSignal.Kind.ALARM, lane, signals);
        return alarm != null && now < alarm.at() + LaneSignal.ALARM_MILLIS_MAX;
    }

    private static void warnOfDamage(String sha256, CorruptSegmentException damage) {
        LOG.warn("segment {} was damaged on this disk, fetching it again: {}", sha256, damage.getMessage());
    }

    /**
     * How generations are evaluated.
     *
     * @param busyShareMax share of one thread's time that evaluation may take in a task; samples beyond it are skipped and
     *     counted; 1: none is skipped, and the stream waits where evaluation is slower
     * @param hurry how many times as fast mixers learn while a drift alarm is on
     * @param choices what else to count on the same generations
     */
    public record Options(double busyShareMax, float hurry, List<EvaluationChoice> choices) implements Serializable {
        public Options {
            require(
                    busyShareMax > 0 && busyShareMax <= 1,
                    "busyShareMax must be above 0, at most 1, got %s",
                    busyShareMax);
            require(hurry >= 1 && hurry <= 100, "hurry must be 1 to 100, got %s", hurry);
            choices = List.copyOf(choices);
        }

        /** Half the time, three times as fast, nothing else. */
        public static Options defaults() {
            return new Options(0.5, 3, List.of());
        }
    }
}
