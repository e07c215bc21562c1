package io.tailrace.lab.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.local.LoopbackPorts;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** vLLM's HTTP server with a model, on a free port of its own. Questions may be asked by any number of threads. */
public final class VllmServer implements Closeable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START_MAX = Duration.ofMinutes(10);
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final Duration END_MAX = Duration.ofSeconds(30);
    private static final long LOOK_MILLIS = 200;
    private static final int REQUESTS_MAX = 8;
    private static final int OK = 200;
    /** Longer than Java's client keeps an idle connection: a server that closes first may close upon a question. */
    private static final String KEEP_ALIVE_SECONDS = "7200";

    private final ProcessBuilder builder;
    private final Path log;
    private final EngineModel model;
    private final URI address;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private Process process;

    private VllmServer(ProcessBuilder builder, Path log, EngineModel model, int port) {
        this.builder = builder;
        this.log = log;
        this.model = model;
        this.address = URI.create("http://127.0.0.1:" + port);
    }

    /**
     * Starts one; it takes tens of seconds until it is {@linkplain #awaitReady ready}. It computes in 32-bit floats, so that answers can be compared,
     * and without compiling its model, which would take longer than a small model runs.
     *
     * @param path where Python finds modules, before the environment's own
     * @param arguments beyond the model's
     * @param variables of its environment
     * @param log where it writes
     */
    public static VllmServer launch(
            EngineEnvironment environment,
            EngineModel model,
            Collection<Path> path,
            List<String> arguments,
            Map<String, String> variables,
            Path log)
            throws IOException {
        int port = LoopbackPorts.free(1)[0];
        List<String> command = new ArrayList<>(List.of(
                "-m",
                "vllm.entrypoints.openai.api_server",
                "--model",
                model.folder().toString(),
                "--served-model-name",
                model.served().model(),
                "--host",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--dtype",
                "float32",
                "--enforce-eager",
                "--max-model-len",
                Integer.toString(model.lengthMax()),
                "--max-num-seqs",
                Integer.toString(REQUESTS_MAX)));
        command.addAll(arguments);
        ProcessBuilder builder = environment.process(path, command);
        builder.environment().putAll(variables);
        builder.environment().put("VLLM_HTTP_TIMEOUT_KEEP_ALIVE", KEEP_ALIVE_SECONDS);
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        VllmServer server = new VllmServer(builder, log, model, port);
        server.start();
        return server;
    }

    /** Starts it again after it has ended, at the same port. */
    public void start() throws IOException {
        process = builder.start();
    }

    /** Waits until it answers; the end of its log is in the message if it does not. */
    public void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_MAX.toNanos();
        while (!healthy()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("vLLM does not start; the end of its log:%n%s".formatted(LogTail.of(log)));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private boolean healthy() throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(address.resolve("/health"))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return http.send(request, BodyHandlers.discarding()).statusCode() == OK;
        } catch (IOException e) {
            return false;
        }
    }

    /** Where clients ask. */
    public URI address() {
        return address;
    }

    /**
     * Asks for an answer of so many tokens, the likeliest at each place.
     *
     * @throws IOException if it is not answered
     */
    public EngineAnswer complete(String prompt, int tokens) throws IOException, InterruptedException {
        Map<String, Object> asked = Map.of(
                "model",
                model.served().model(),
                "prompt",
                prompt,
                "max_tokens",
                tokens,
                "temperature",
                0,
                "ignore_eos",
                true,
                "return_token_ids",
                true);
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/v1/completions"))
                .header("Content-Type", "application/json")
                .timeout(ANSWER_MAX)
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(asked)))
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != OK) {
            throw new IOException("vLLM answers with status %d: %s".formatted(answer.statusCode(), answer.body()));
        }
        return read(JSON.readTree(answer.body()));
    }

    private static EngineAnswer read(JsonNode answer) {
        List<Integer> tokens = new ArrayList<>();
        answer.at("/choices/0/token_ids").forEach(token -> tokens.add(token.intValue()));
        return new EngineAnswer(answer.path("id").asText(), tokens);
    }

    /** What it counts itself, at this moment. */
    public MetricsPage metrics() throws IOException, InterruptedException {
        return MetricsPage.read(address.resolve("/metrics"));
    }

    /** SIGKILL for all its processes; returns when they are gone. */
    public void kill() throws InterruptedException {
        List<ProcessHandle> all = family();
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle each : all) {
            each.onExit().join();
        }
        process.waitFor();
    }

    /** The server and its engine's processes. */
    private List<ProcessHandle> family() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        return all;
    }

    @Override
    public void close() {
        List<ProcessHandle> all = family();
        process.destroy();
        try {
            process.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
