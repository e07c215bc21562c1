package io.tailrace.lab.bench.serve;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.http.ServingEndpoint;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.serve.DraftOptions;
import io.tailrace.worker.serve.ServingWorker;
import io.tailrace.worker.serve.ServingWorkerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Map;

/** A worker alone, without Kafka, that is asked over HTTP. */
final class BenchServer implements AutoCloseable {
    private static final String SCOPE_HEADER = "X-Bench-Scope";
    private static final String MODEL = "bench";

    private final ServingWorker worker;
    private final ServingEndpoint http;
    private final LoadRound load;

    /**
     * A server that answers from now on.
     *
     * @param model taken over
     * @param folder for what the worker keeps
     */
    BenchServer(LanguageModel model, DraftOptions drafts, int batchMax, int budget, int outputTokens, Path folder)
            throws IOException {
        ServedModel served = new ServedModel(
                MODEL, "1", model.target().vocabularySize(), model.tokenizer().fingerprint());
        worker = new ServingWorker(
                ServingWorkerOptions.alone("bench", served, FollowOptions.of(folder.toUri(), folder.resolve("cache")))
                        .withEngine(EngineOptions.defaults()
                                .withBatchMax(Math.min(batchMax, BudgetChoice.BATCH_MAX))
                                .withBudgetMax(budget))
                        .withDrafts(drafts),
                model);
        http = ServingEndpoint.start(
                new EndpointOptions("127.0.0.1", 0, 4 << 20, 200, "bench", SCOPE_HEADER, Map.of()), worker);
        worker.start();
        load = new LoadRound(
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(),
                URI.create("http://127.0.0.1:%d/v1/completions".formatted(http.port())),
                MODEL,
                SCOPE_HEADER,
                outputTokens);
    }

    /** Sends it requests. */
    LoadRound load() {
        return load;
    }

    @Override
    public void close() {
        http.close();
        worker.close();
    }
}
