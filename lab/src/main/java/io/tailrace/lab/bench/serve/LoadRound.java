package io.tailrace.lab.bench.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends requests to a served model, so many at a time, and keeps what came. */
final class LoadRound {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client;
    private final URI completions;
    private final String model;
    private final String scopeHeader;
    private final int outputTokens;

    /**
     * One answered request.
     *
     * @param text answered
     * @param tokens of the answer
     * @param steps verifications
     * @param drafted draft tokens verified
     * @param accepted draft tokens accepted
     * @param outputTokenMicros time of a token after the first, on average; 0 for a single token
     */
    record Sample(String text, int tokens, int steps, int drafted, int accepted, double outputTokenMicros) {}

    /** A round's answers, in the order of its prompts, and its time. */
    record Result(List<Sample> samples, long nanos) {
        long tokens() {
            return samples.stream().mapToLong(Sample::tokens).sum();
        }

        /** Steps of all requests. */
        long steps() {
            return samples.stream().mapToLong(Sample::steps).sum();
        }

        double nanosPerToken() {
            return (double) nanos / tokens();
        }
    }

    LoadRound(HttpClient client, URI completions, String model, String scopeHeader, int outputTokens) {
        this.client = client;
        this.completions = completions;
        this.model = model;
        this.scopeHeader = scopeHeader;
        this.outputTokens = outputTokens;
    }

    /** Sends every prompt once. */
    Result run(List<StoryPrompts.Prompt> prompts, int concurrency, double temperature, String scope, boolean drafts)
            throws InterruptedException, IOException {
        ExecutorService clients = Executors.newFixedThreadPool(concurrency);
        try {
            List<Callable<Sample>> calls = new ArrayList<>();
            for (StoryPrompts.Prompt prompt : prompts) {
                HttpRequest request = request(prompt, temperature, scope, drafts);
                calls.add(() -> send(request));
            }
            long began = System.nanoTime();
            List<Future<Sample>> answers = clients.invokeAll(calls);
            long nanos = System.nanoTime() - began;
            List<Sample> samples = new ArrayList<>();
            for (Future<Sample> answer : answers) {
                samples.add(answer.get());
            }
            return new Result(samples, nanos);
        } catch (ExecutionException e) {
            throw new IOException("a request failed: " + e.getCause().getMessage(), e.getCause());
        } finally {
            clients.shutdown();
        }
    }

    private HttpRequest request(StoryPrompts.Prompt prompt, double temperature, String scope, boolean drafts) {
        ObjectNode body = JSON.createObjectNode()
                .put("model", model)
                .put("max_tokens", outputTokens)
                .put("temperature", temperature)
                .put("seed", prompt.seed())
                .put("store", drafts);
        body.putObject("tailrace").put("drafts", drafts).put("report", true);
        for (int token : prompt.tokens()) {
            body.withArray("prompt").add(token);
        }
        return HttpRequest.newBuilder(completions)
                .header("Content-Type", "application/json")
                .header(scopeHeader, scope)
                .POST(BodyPublishers.ofString(body.toString()))
                .build();
    }

    private Sample send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("status %d: %s".formatted(answer.statusCode(), answer.body()));
        }
        JsonNode body = JSON.readTree(answer.body());
        JsonNode report = body.path("tailrace");
        int tokens = body.path("usage").path("completion_tokens").intValue();
        long later = report.path("totalMicros").longValue()
                - report.path("firstTokenMicros").longValue();
        return new Sample(
                body.path("choices").path(0).path("text").textValue(),
                tokens,
                report.path("steps").intValue(),
                report.path("drafted").intValue(),
                report.path("accepted").intValue(),
                tokens < 2 ? 0 : (double) later / (tokens - 1));
    }
}
