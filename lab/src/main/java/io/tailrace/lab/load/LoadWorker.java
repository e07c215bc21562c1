package io.tailrace.lab.load;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FollowedLane;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.ServedLane;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.schemas.Finish;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.worker.serve.WorkerMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;

/**
 * A serving worker whose model is the recorded answer. Serves from its first moment, drafts from its own answers at once and
 * from the fleet's as snapshots come, and reports what it did. Any number of threads may call {@link #serve}.
 */
public final class LoadWorker implements PacedLoad.Server, AutoCloseable {
    private static final String STRATEGY = "adaptive";

    private final Options options;
    private final TailraceClient client;
    private final WorkerMetrics metrics;
    private final Map<String, LaneServing> servingByScope = new ConcurrentHashMap<>();

    /** Connects to Kafka when started; the store and the cache folder are opened now. */
    public LoadWorker(Options options) throws IOException {
        this(options, TailraceClient.open(options.client()));
    }

    /** Takes over the client. */
    LoadWorker(Options options, TailraceClient client) {
        this.options = options;
        this.client = client;
        this.metrics = new WorkerMetrics(
                options.name(), client::states, client::skippedRecords, client.reporter(), client.reporter()::failures);
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
        DecodeResult decoded =
                serving.decode(slot, request, options.serving().stepTime(), RequestDecoder.Sources.SHARED);
        long completedAt = now();
        ServedRequest served = record(serving.lane(), request, decoded, null, startedAt, completedAt);
        client.remember(served);
        client.reporter().generation(served.generation());
        if (options.serving().measureOwnContext()) {
            DecodeTally own = serving.decode(
                            slot, request, options.serving().stepTime(), RequestDecoder.Sources.OWN_CONTEXT)
                    .tally();
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
        client.lanes().forEach(lane -> all.add(lane.freshness()));
        return all;
    }

    /** How soon it heard of other workers' answers, over all lanes, in milliseconds; a copy. */
    public Histogram heard() {
        Histogram all = new Histogram(2);
        client.lanes().forEach(lane -> all.add(lane.heard()));
        return all;
    }

    /** Records of the topics it follows that it left out: it could not read them, or nobody whom it trusts had signed them. */
    public long skippedRecords() {
        return client.skippedRecords();
    }

    /** Reports that were given up. */
    public long reportFailures() {
        return client.reportFailures();
    }

    public WorkerMetrics metrics() {
        return metrics;
    }

    /** Stops following, sends what is buffered, unmaps the snapshots. Requests must have ended. */
    @Override
    public void close() {
        client.close();
        metrics.close();
    }

    private LaneServing newServing(String scope) {
        return new LaneServing(
                ServedLane.of(client.lane(scope)),
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
                client.remembered(lane.lane().scope(), request.prompt(), decoded.output()),
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

    /**
     * How a worker serves a request.
     *
     * @param budgetMax most draft tokens a verification, 0 to 64; a lane's policy may say less
     * @param measureOwnContext decode each request once more from its own context only, with a mixer of its own, so that both
     *     are compared on the same requests
     * @param reportPrompts generations carry the prompt, as far as the input kept it
     * @param stepTime what a verification would cost
     */
    public record Serving(
            int budgetMax, boolean measureOwnContext, boolean reportPrompts, RecordedVerifier.StepTime stepTime) {
        public Serving {
            if (budgetMax < 0 || budgetMax > DraftPolicy.BUDGET_MAX) {
                throw new IllegalArgumentException(
                        "budgetMax must be 0 to %d, got %d".formatted(DraftPolicy.BUDGET_MAX, budgetMax));
            }
            if (stepTime == null) {
                throw new IllegalArgumentException("stepTime must be given");
            }
        }

        /** Budget 16, prompts reported, own context not measured. */
        public static Serving defaults() {
            return new Serving(16, false, true, RecordedVerifier.StepTime.defaults());
        }

        public Serving withMeasureOwnContext(boolean measure) {
            return new Serving(budgetMax, measure, reportPrompts, stepTime);
        }

        public Serving withReportPrompts(boolean report) {
            return new Serving(budgetMax, measureOwnContext, report, stepTime);
        }

        public Serving withBudgetMax(int tokens) {
            return new Serving(tokens, measureOwnContext, reportPrompts, stepTime);
        }

        public Serving withStepTime(RecordedVerifier.StepTime time) {
            return new Serving(budgetMax, measureOwnContext, reportPrompts, time);
        }
    }

    /**
     * A worker.
     *
     * @param name unique in the fleet; producer of its generations, 1 to 200 characters
     * @param workerClass whose cost curve its step times belong to
     * @param model the one model it serves
     * @param kafka how to reach Kafka
     * @param follow how it follows snapshots
     * @param serving how it serves requests
     * @param spool folder of reports that Kafka does not have yet; empty: they wait in memory
     */
    public record Options(
            String name,
            String workerClass,
            ServedModel model,
            KafkaAccess kafka,
            FollowOptions follow,
            Serving serving,
            Optional<Path> spool) {
        public Options {
            ClientOptions.checkName("name", name);
            ClientOptions.checkName("workerClass", workerClass);
            if (model == null || kafka == null || follow == null || serving == null || spool == null) {
                throw new IllegalArgumentException("model, kafka, follow, serving and spool must be given");
            }
        }

        /** The client's part. */
        ClientOptions client() {
            ReportingOptions reporting = spool.map(folder -> ReportingOptions.of(kafka, folder))
                    .orElseGet(() -> ReportingOptions.unspooled(kafka));
            return new ClientOptions(name, workerClass, model, follow, Optional.empty(), Optional.of(reporting));
        }

        /** A worker with default serving options. */
        public static Options of(String name, ServedModel model, KafkaAccess kafka, FollowOptions follow) {
            return new Options(
                    name, RecordedVerifier.WORKER_CLASS, model, kafka, follow, Serving.defaults(), Optional.empty());
        }

        public Options withServing(Serving options) {
            return new Options(name, workerClass, model, kafka, follow, options, spool);
        }

        /** Reports wait on disk. */
        public Options withSpool(Path folder) {
            return new Options(name, workerClass, model, kafka, follow, serving, Optional.of(folder));
        }
    }

    /**
     * A lane of a worker in numbers, since its start.
     *
     * @param state how it follows snapshots
     * @param totals what it served
     */
    public record LaneView(LaneState state, ServedTotals totals) {
        public String lane() {
            return state.lane().toString();
        }

        public double tokensPerStep() {
            return totals.tokensPerStep();
        }
    }
}
