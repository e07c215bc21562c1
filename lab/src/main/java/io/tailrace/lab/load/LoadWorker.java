package io.tailrace.lab.load;

import io.tailrace.client.AdaptiveDrafterSource;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FollowedLane;
import io.tailrace.client.follow.FollowedLanes;
import io.tailrace.client.follow.FollowerThread;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.follow.SegmentStore;
import io.tailrace.client.follow.SnapshotFollower;
import io.tailrace.client.follow.SnapshotLoader;
import io.tailrace.client.report.KafkaReporter;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.report.StatusTicker;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.worker.serve.WorkerMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serving worker whose model is the recorded answer. Serves from its first moment, drafts from its own answers at once and
 * from the fleet's as snapshots come, and reports what it did. Any number of threads may call {@link #serve}.
 */
public final class LoadWorker implements RequestServer, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadWorker.class);
    private static final int LOADING_THREADS = 2;
    private static final long STATUS_LOOK_MILLIS = 250;
    private static final String STRATEGY = "adaptive";

    private final LoadWorkerOptions options;
    private final Verifier<RecordedRequest> verifier;
    private final Reporter reporter;
    private final FollowedLanes lanes;
    private final SnapshotFollower follower;
    private final FollowerThread followerThread;
    private final ExecutorService loads;
    private final StatusTicker statusTicker;
    private final WorkerMetrics metrics;
    private final Map<String, LaneServing> servingByScope = new ConcurrentHashMap<>();
    private long statusLookedAt;

    /** Connects to Kafka when started; the store and the cache folder are opened now. */
    public LoadWorker(LoadWorkerOptions options) throws IOException {
        this(
                options,
                loader(options),
                options.kafka().newConsumer(options.name() + "-snapshots"),
                options.kafka().newProducer(options.name() + "-reports"));
    }

    /** Takes over the loader and both clients. */
    LoadWorker(
            LoadWorkerOptions options,
            SnapshotLoader loader,
            Consumer<byte[], byte[]> consumer,
            Producer<byte[], byte[]> producer) {
        this.options = options;
        this.verifier = new RecordedVerifier(options.serving().stepTime());
        this.lanes = new FollowedLanes(options.model(), options.follow(), now());
        this.reporter = new KafkaReporter(producer, options.kafka().topicPrefix());
        this.statusTicker = new StatusTicker(options.name(), options.workerClass(), reporter);
        this.loads = Executors.newFixedThreadPool(LOADING_THREADS, this::loadingThread);
        this.follower = new SnapshotFollower(
                consumer, options.kafka().topicPrefix(), lanes, loader, options.follow(), loads, LoadWorker::now);
        this.followerThread = new FollowerThread(options.name() + "-follower", follower, this::lookAtStatus);
        this.metrics = new WorkerMetrics(options.name(), lanes::all, reporter::failures, follower::skippedRecords);
    }

    /** Begins to follow snapshots. */
    public void start() {
        followerThread.start();
        LOG.info(
                "worker {} follows {}@{}",
                options.name(),
                options.model().model(),
                options.model().revision());
    }

    public String name() {
        return options.name();
    }

    /** False once the following thread has failed. */
    public boolean live() {
        return followerThread.failure() == null;
    }

    /** True once everything announced before the start is known; serving does not wait for it. */
    public boolean ready() {
        return followerThread.alive() && follower.caughtUp();
    }

    @Override
    public ServedRequest serve(RecordedRequest request) {
        LaneServing serving = servingByScope.computeIfAbsent(request.scope(), this::newServing);
        LaneServing.Slot slot = serving.take();
        long startedAt = now();
        DecodeResult decoded = serving.decode(slot, request, verifier, Sources.SHARED);
        long completedAt = now();
        serving.lane().finished(request.id(), decoded.output(), completedAt);
        ServedRequest served = record(serving.lane(), request, decoded, null, startedAt, completedAt);
        reporter.generation(served.generation());
        if (options.serving().measureOwnContext()) {
            DecodeTally own =
                    serving.decode(slot, request, verifier, Sources.OWN_CONTEXT).tally();
            served = record(serving.lane(), request, decoded, own, startedAt, completedAt);
        }
        reporter.outcome(served.outcome());
        serving.served(served);
        metrics.served(LaneId.of(served.lane()), served.decoded(), served.ownContext());
        serving.giveBack(slot);
        return served;
    }

    /** Every lane that a request or a manifest has concerned, in that order. */
    public List<LaneView> views() {
        long now = now();
        return lanes.all().stream().map(lane -> view(lane, now)).toList();
    }

    /** Freshness over all lanes, in milliseconds; a copy, which may be added to other workers'. */
    public Histogram freshness() {
        Histogram all = new Histogram(2);
        lanes.all().forEach(lane -> all.add(lane.freshness()));
        return all;
    }

    /** How soon it heard of other workers' answers, over all lanes, in milliseconds; a copy. */
    public Histogram heard() {
        Histogram all = new Histogram(2);
        lanes.all().forEach(lane -> all.add(lane.heard()));
        return all;
    }

    /** Reports that were given up. */
    public long reportFailures() {
        return reporter.failures();
    }

    public WorkerMetrics metrics() {
        return metrics;
    }

    /** Stops following, sends what is buffered, unmaps the snapshots. Requests must have ended. */
    @Override
    public void close() {
        followerThread.close();
        loads.shutdown();
        try {
            if (!loads.awaitTermination(5, TimeUnit.SECONDS)) {
                loads.shutdownNow();
            }
        } catch (InterruptedException e) {
            loads.shutdownNow();
            Thread.currentThread().interrupt();
        }
        statusTicker.sendAll(states(), now());
        reporter.close();
        verifier.close();
        metrics.close();
        LOG.info("worker {} has stopped", options.name());
    }

    static SnapshotLoader loader(LoadWorkerOptions options) throws IOException {
        FollowOptions follow = options.follow();
        return SnapshotLoader.create(
                options.model(), SegmentStore.at(follow.store()), follow.cacheFolder(), follow.cacheBytesMax());
    }

    private LaneServing newServing(String scope) {
        return new LaneServing(lanes.ofRequest(scope), this::newSlot);
    }

    private LaneServing.Slot newSlot() {
        return new LaneServing.Slot(
                new RequestDecoder(options.serving().budgetMax(), metrics::drafted, options.workerClass()),
                new AdaptiveDrafterSource(true),
                new AdaptiveDrafterSource(false));
    }

    private ServedRequest record(
            FollowedLane lane,
            RecordedRequest request,
            DecodeResult decoded,
            DecodeTally own,
            long startedAt,
            long completedAt) {
        return new ServedRequest(
                request.id(),
                lane.lane().toLane(),
                options.name(),
                options.workerClass(),
                STRATEGY,
                options.serving().reportPrompts() ? request.prompt() : null,
                request.promptTokens(),
                null,
                decoded,
                own,
                startedAt,
                completedAt);
    }

    private LaneView view(FollowedLane lane, long now) {
        LaneServing serving = servingByScope.get(lane.lane().scope());
        return new LaneView(lane.state(now), serving == null ? ServedTotals.NONE : serving.totals());
    }

    private List<LaneState> states() {
        long now = now();
        return lanes.all().stream().map(lane -> lane.state(now)).toList();
    }

    /** Runs in the follower's thread. */
    private void lookAtStatus() {
        long now = now();
        if (now - statusLookedAt >= STATUS_LOOK_MILLIS) {
            statusLookedAt = now;
            statusTicker.tick(states(), now);
        }
    }

    private Thread loadingThread(Runnable work) {
        Thread thread = new Thread(work, options.name() + "-load");
        thread.setDaemon(true);
        return thread;
    }

    private static long now() {
        return System.currentTimeMillis();
    }
}
