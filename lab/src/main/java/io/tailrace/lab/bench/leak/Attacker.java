package io.tailrace.lab.bench.leak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.lab.bench.serve.BenchServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** A caller like any other. It asks greedily, keeps its own answers out of the lane, and notes what it sees. */
final class Attacker {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EVENT = "data: ";
    private static final String ANSWERED = "tailrace_requests_total{";
    private static final String ACCEPTED = "tailrace_draft_tokens_accepted_total{";
    private static final long COUNTED_NANOS_MAX = 10_000_000_000L;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI completions;
    private final boolean report;

    /**
     * A caller of a server.
     *
     * @param report whether it asks for reports
     */
    Attacker(URI completions, boolean report) {
        this.completions = completions;
        this.report = report;
    }

    /** Asks the same in every way; which of two is asked first alternates by {@code turn}. */
    Channel.Sight look(String scope, int[] prompt, int tokens, int turn) throws IOException, InterruptedException {
        Observation[] streamed = new Observation[2];
        Observation[] whole = new Observation[2];
        double accepted = 0;
        for (int half = 0; half < 2; half++) {
            int drafts = (half + turn) % 2;
            double before = drafts == 1 ? page(ACCEPTED) : 0;
            double answered = page(ANSWERED);
            streamed[drafts] = streamed(scope, prompt, tokens, drafts == 1);
            awaitCounted(answered);
            accepted = drafts == 1 ? page(ACCEPTED) - before : accepted;
            whole[drafts] = whole(scope, prompt, tokens, drafts == 1);
        }
        return new Channel.Sight(streamed[1], streamed[0], whole[1], whole[0], accepted);
    }

    /** Asks for a streamed answer. */
    Observation streamed(String scope, int[] prompt, int tokens, boolean drafts)
            throws IOException, InterruptedException {
        return streamed(call(scope, prompt, tokens, true, drafts, 0, 0));
    }

    /** Asks for a streamed answer at a temperature. */
    Observation sampled(String scope, int[] prompt, int tokens, double temperature, long seed)
            throws IOException, InterruptedException {
        return streamed(call(scope, prompt, tokens, true, true, temperature, seed));
    }

    private Observation streamed(HttpRequest call) throws IOException, InterruptedException {
        long sent = System.nanoTime();
        HttpResponse<InputStream> answer = client.send(call, BodyHandlers.ofInputStream());
        Reading reading = new Reading(sent);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reading.line(line, System.nanoTime());
            }
        }
        return reading.observation();
    }

    private Observation whole(String scope, int[] prompt, int tokens, boolean drafts)
            throws IOException, InterruptedException {
        long sent = System.nanoTime();
        HttpResponse<String> answer =
                client.send(call(scope, prompt, tokens, false, drafts, 0, 0), BodyHandlers.ofString());
        long took = System.nanoTime() - sent;
        JsonNode body = JSON.readTree(answer.body());
        if (answer.statusCode() != 200) {
            throw new IOException("status %d: %s".formatted(answer.statusCode(), answer.body()));
        }
        return new Observation(body.at("/usage/completion_tokens").asInt(), 1, took, 0, 0, 0);
    }

    private HttpRequest call(
            String scope, int[] prompt, int tokens, boolean stream, boolean drafts, double temperature, long seed) {
        ObjectNode body = JSON.createObjectNode()
                .put("model", BenchServer.MODEL)
                .put("max_tokens", tokens)
                .put("temperature", temperature)
                .put("seed", seed)
                .put("store", false)
                .put("stream", stream);
        if (stream) {
            body.putObject("stream_options").put("include_usage", true);
        }
        body.putObject("tailrace").put("drafts", drafts).put("report", report);
        for (int token : prompt) {
            body.withArray("prompt").add(token);
        }
        return HttpRequest.newBuilder(completions)
                .header("Content-Type", "application/json")
                .header(BenchServer.SCOPE_HEADER, scope)
                .POST(BodyPublishers.ofString(body.toString()))
                .build();
    }

    /** The page counts an answer a moment after its end. */
    private void awaitCounted(double answered) throws IOException, InterruptedException {
        long until = System.nanoTime() + COUNTED_NANOS_MAX;
        while (page(ANSWERED) <= answered) {
            if (System.nanoTime() > until) {
                throw new IOException("the metrics page did not count an answer within 10 s");
            }
        }
    }

    private double page(String metric) throws IOException, InterruptedException {
        HttpResponse<String> page = client.send(
                HttpRequest.newBuilder(completions.resolve("/metrics")).build(), BodyHandlers.ofString());
        return BenchServer.sum(page.body(), metric);
    }

    /** Makes an observation of the lines of a stream. */
    static final class Reading {
        private final long sent;
        private int tokens;
        private int events;
        private long first;
        private long last;
        private int accepted;
        private int steps;

        Reading(long sent) {
            this.sent = sent;
        }

        void line(String line, long nanos) throws IOException {
            if (!line.startsWith(EVENT + "{")) {
                if (line.startsWith("{")) {
                    throw new IOException("no stream came but " + line);
                }
                return;
            }
            JsonNode event = JSON.readTree(line.substring(EVENT.length()));
            if (!event.at("/choices/0/text").asText().isEmpty()) {
                first = events == 0 ? nanos : first;
                last = nanos;
                events++;
            }
            tokens = event.at("/usage/completion_tokens").asInt(tokens);
            accepted = event.at("/tailrace/accepted").asInt(accepted);
            steps = event.at("/tailrace/steps").asInt(steps);
        }

        Observation observation() {
            double gap = events < 2 ? 0 : (double) (last - first) / (events - 1);
            return new Observation(tokens, events, Math.max(1, last - sent), gap, accepted, steps);
        }
    }
}
