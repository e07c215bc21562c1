package io.tailrace.lab.bench.serve;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.DraftVisibility;
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
public final class BenchServer implements AutoCloseable {
    /** Request header that names the scope. */
    public static final String SCOPE_HEADER = "X-Bench-Scope";
    /** The model's name, whatever it is. */
    public static final String MODEL = "bench";

    private final ServingWorker worker;
    private final ServingEndpoint http;
    private final URI completions;
    private final LoadRound load;

    /** A server whose callers may ask for reports, as {@link LoadRound} does. */
    BenchServer(LanguageModel model, DraftOptions drafts, int batchMax, int budget, int outputTokens, Path folder)
            throws IOException {
        this(model, drafts, batchMax, budget, outputTokens, new DraftVisibility(true, 0), folder);
    }

    /**
     * A server that answers from now on.
     *
     * @param model taken over
     * @param visibility what its callers may learn of drafting
     * @param folder for what the worker keeps
     */
    public BenchServer(
            LanguageModel model,
            DraftOptions drafts,
            int batchMax,
            int budget,
            int outputTokens,
            DraftVisibility visibility,
            Path folder)
            throws IOException {
        ServedModel served = new ServedModel(
                MODEL, "1", model.target().vocabularySize(), model.tokenizer().fingerprint());
        worker = new ServingWorker(
                ServingWorkerOptions.alone("bench", served, FollowOptions.of(folder.toUri(), folder.resolve("cache")))
                        .withEngine(EngineOptions.defaults()
                                .withBatchMax(Math.min(batchMax, BudgetChoice.BATCH_EXACT))
                                .withBudgetMax(budget))
                        .withDrafts(drafts),
                model);
        http = ServingEndpoint.start(
                new EndpointOptions("127.0.0.1", 0, 4 << 20, 200, "bench", SCOPE_HEADER, Map.of())
                        .withVisibility(visibility),
                worker);
        worker.start();
        completions = URI.create("http://127.0.0.1:%d/v1/completions".formatted(http.port()));
        load = new LoadRound(
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(),
                completions,
                MODEL,
                SCOPE_HEADER,
                outputTokens);
    }

    /** Sends it requests. */
    LoadRound load() {
        return load;
    }

    /** Where completions are asked for. */
    public URI completions() {
        return completions;
    }

    /** Gives it a request past its port. */
    public void submit(DecodeRequest request, Answer.Sink sink) {
        worker.submit(request, sink);
    }

    /** Its metrics page. */
    public String scrape() {
        return worker.scrape();
    }

    /** The sum of the values of a metrics page whose lines begin so. */
    public static double sum(String page, String metric) {
        return page.lines()
                .filter(line -> line.startsWith(metric))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Override
    public void close() {
        http.close();
        worker.close();
    }
}
