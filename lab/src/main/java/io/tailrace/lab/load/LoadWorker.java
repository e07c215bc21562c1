package io.tailrace.lab.load;

import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.FollowedLane;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.schemas.Finish;
import io.tailrace.schemas.LaneId;
import io.tailrace.worker.serve.WorkerMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;

/**
 * A serving worker whose model is the recorded answer. Serves from its first moment, drafts from its own answers at once and
 * from the fleet's as snapshots come, and reports what it did. Any number of threads may call {@link #serve}.
 */
public final class LoadWorker implements RequestServer, AutoCloseable {
    private static final String STRATEGY = "adaptive";

    private final LoadWorkerOptions options;
    private final Verifier<RecordedRequest> verifier;
    private final TailraceClient client;
    private final WorkerMetrics metrics;
    private final Map<String, LaneServing> servingByScope = new ConcurrentHashMap<>();

    /** Connects to Kafka when started; the store and the cache folder are opened now. */
    public LoadWorker(LoadWorkerOptions options) throws IOException {
        this(options, TailraceClient.open(options.client()));
    }

    /** Takes over the client. */
    LoadWorker(LoadWorkerOptions options, TailraceClient client) {
        this.options = options;
        this.verifier = new RecordedVerifier(options.serving().stepTime());
        this.client = client;
        this.metrics =
                new WorkerMetrics(options.name(), client::states, client.reporter()::failures, client::skippedRecords);
    }

    /** Begins to follow snapshots. */
    public void start() {
        client.start();
    }

    public String name() {
        return options.name();
    }

    /** False once the following thread has failed. */
    public boolean live() {
        return client.live();
    }

    /** True once everything announced before the start is known; serving does not wait for it. */
    public boolean ready() {
        return client.live() && client.caughtUp();
    }

    @Override
    public ServedRequest serve(RecordedRequest request) {
        LaneServing serving = servingByScope.computeIfAbsent(request.scope(), this::newServing);
        LaneServing.Slot slot = serving.take();
        long startedAt = now();
        DecodeResult decoded = serving.decode(slot, request, verifier, Sources.SHARED);
        long completedAt = now();
        ServedRequest served = record(serving.lane(), request, decoded, null, startedAt, completedAt);
        client.remember(served);
        client.reporter().generation(served.generation());
        if (options.serving().measureOwnContext()) {
            DecodeTally own =
                    serving.decode(slot, request, verifier, Sources.OWN_CONTEXT).tally();
            served = record(serving.lane(), request, decoded, own, startedAt, completedAt);
        }
        client.reporter().outcome(served.outcome());
        serving.served(served);
        metrics.served(LaneId.of(served.lane()), served.decoded(), served.ownContext());
        serving.giveBack(slot);
        return served;
    }

    /** Every lane that a request or a manifest has concerned, in that order. */
    public List<LaneView> views() {
        return client.states().stream().map(this::view).toList();
    }

    /** Freshness over all lanes, in milliseconds; a copy, which may be added to other workers'. */
    public Histogram freshness() {
        Histogram all = new Histogram(2);
        client.lanes().all().forEach(lane -> all.add(lane.freshness()));
        return all;
    }

    /** How soon it heard of other workers' answers, over all lanes, in milliseconds; a copy. */
    public Histogram heard() {
        Histogram all = new Histogram(2);
        client.lanes().all().forEach(lane -> all.add(lane.heard()));
        return all;
    }

    /** Reports that were given up. */
    public long reportFailures() {
        return client.reporter().failures();
    }

    public WorkerMetrics metrics() {
        return metrics;
    }

    /** Stops following, sends what is buffered, unmaps the snapshots. Requests must have ended. */
    @Override
    public void close() {
        client.close();
        verifier.close();
        metrics.close();
    }

    private LaneServing newServing(String scope) {
        return new LaneServing(
                client.lanes().ofRequest(scope),
                () -> new RequestDecoder(options.serving().budgetMax(), metrics::drafted, options.workerClass()));
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
                completedAt,
                Finish.STOP);
    }

    private LaneView view(LaneState state) {
        LaneServing serving = servingByScope.get(state.lane().scope());
        return new LaneView(state, serving == null ? ServedTotals.NONE : serving.totals());
    }

    private static long now() {
        return System.currentTimeMillis();
    }
}
