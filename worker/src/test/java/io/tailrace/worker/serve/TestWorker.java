package io.tailrace.worker.serve;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.DraftVisibility;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.http.ServingEndpoint;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.HashModel;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.LetterTokenizer;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.TextTokenizer;
import io.tailrace.worker.model.TreeInput;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** A worker with a model of letters, and its endpoint. */
final class TestWorker implements AutoCloseable {
    static final String MODEL = "letters";
    static final ServedModel SERVED = new ServedModel(MODEL, "1", LetterTokenizer.VOCABULARY, "letters");
    private static final long PASS_NANOS = 2_000_000;
    private static final ChatTemplate CHAT = (messages, answerNext, now) -> {
        StringBuilder prompt = new StringBuilder();
        for (ChatTemplate.Message message : messages) {
            if (message.role().equals("nobody")) {
                throw new IllegalArgumentException("there is no such role");
            }
            prompt.append(message.role()).append(' ').append(message.content()).append(' ');
        }
        return prompt.append(answerNext ? "assistant " : "").toString();
    };

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    final HashModel model;
    final ServingWorker worker;
    final ServingEndpoint endpoint;

    private TestWorker(HashModel model, ServingWorker worker, ServingEndpoint endpoint) {
        this.model = model;
        this.worker = worker;
        this.endpoint = endpoint;
    }

    /** Answers of up to 200 tokens that repeat themselves. */
    static HashModel repeating() {
        return neverEnding(11, 2, 3, 256, 8_192, 0);
    }

    /** Answers that go on for very long: one of 50,000 tokens outlasts whatever a test waits for, since each pass takes a while and drafts find nothing. */
    static HashModel endless() {
        return neverEnding(2, 16, 0.5f, 60_000, 1_000_000, PASS_NANOS);
    }

    private static HashModel neverEnding(
            long seed, int remembered, float sharpness, int contextTokensMax, int cacheTokensMax, long passNanos) {
        return new HashModel(
                seed, LetterTokenizer.VOCABULARY, remembered, sharpness, contextTokensMax, cacheTokensMax) {
            @Override
            public float[] logits(int[] context, int length) {
                float[] logits = super.logits(context, length);
                logits[LetterTokenizer.END] = -100;
                return logits;
            }

            @Override
            public Logits forward(List<TreeInput> batch) {
                LockSupport.parkNanos(passNanos);
                return super.forward(batch);
            }
        };
    }

    /** An endpoint whose callers may ask for reports. */
    static EndpointOptions reporting() {
        return EndpointOptions.defaults().withVisibility(new DraftVisibility(true, 0));
    }

    static TestWorker start(Path folder, HashModel model, EngineOptions engine, EndpointOptions options)
            throws IOException {
        return start(folder, model, options, worker -> worker.withEngine(engine));
    }

    static TestWorker start(
            Path folder, HashModel model, EndpointOptions options, UnaryOperator<ServingWorkerOptions> settings)
            throws IOException {
        return start(folder, model, new LetterTokenizer(), options, settings);
    }

    static TestWorker start(
            Path folder,
            HashModel model,
            TextTokenizer tokenizer,
            EndpointOptions options,
            UnaryOperator<ServingWorkerOptions> settings)
            throws IOException {
        LanguageModel language =
                new LanguageModel(model, tokenizer, Optional.of(CHAT), new int[] {LetterTokenizer.END});
        // budgets that follow measured times would depend on the machine: this model takes no time at all
        ServingWorkerOptions alone = ServingWorkerOptions.alone(
                        "test", SERVED, FollowOptions.of(folder.toUri(), folder.resolve("cache")))
                .withDrafts(new DraftOptions("adaptive", false));
        ServingWorker worker = new ServingWorker(settings.apply(alone), language);
        worker.start();
        return new TestWorker(model, worker, ServingEndpoint.start(options, worker));
    }

    String url() {
        return "http://127.0.0.1:" + endpoint.port();
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(url() + path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    @Override
    public void close() {
        endpoint.close();
        worker.close();
    }
}
