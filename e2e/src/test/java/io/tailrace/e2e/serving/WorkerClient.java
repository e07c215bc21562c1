package io.tailrace.e2e.serving;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A client of one worker. Safe for any number of threads. */
final class WorkerClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EVENT = "data: ";

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;
    private final Optional<String> key;

    WorkerClient(String url) {
        this(url, Optional.empty());
    }

    /** Who needs a key. */
    WorkerClient(String url, String key) {
        this(url, Optional.of(key));
    }

    private WorkerClient(String url, Optional<String> key) {
        this.url = url;
        this.key = key;
    }

    /** A request for so many tokens at temperature 1, behind a random prompt. */
    static String body(Random random, int promptTokens, int tokens, String more) {
        int[] prompt = random.ints(promptTokens, 4, 256).toArray();
        return """
                {"model": "tiny", "prompt": %s, "max_tokens": %d, "temperature": 1, "seed": %d, %s}""".formatted(Arrays.toString(prompt), tokens, random.nextInt(1_000_000), more);
    }

    /** A short question, answered whole. */
    Told ask(Random random) throws IOException, InterruptedException {
        return ask(random, 10, 12);
    }

    Told ask(Random random, int promptTokens, int tokens) throws IOException, InterruptedException {
        return told(body(random, promptTokens, tokens, "\"tailrace\": {\"report\": true}"));
    }

    /** The answer to a request that asks for a report. */
    Told told(String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = post(body);
        if (answer.statusCode() != 200) {
            throw new AssertionError("status %d: %s".formatted(answer.statusCode(), answer.body()));
        }
        return Told.of(JSON.readTree(answer.body()));
    }

    HttpResponse<String> post(String body) throws IOException, InterruptedException {
        return http.send(completion(body), BodyHandlers.ofString());
    }

    /** A stream, read to its end; empty if it does not say that it is complete. */
    Optional<Told> stream(String body, Runnable firstToken) throws IOException, InterruptedException {
        HttpResponse<Stream<String>> answer = http.send(completion(body), BodyHandlers.ofLines());
        StringBuilder text = new StringBuilder();
        String id = null;
        int tokens = 0;
        boolean done = false;
        for (String line : (Iterable<String>) answer.body()::iterator) {
            done |= line.equals(EVENT + "[DONE]");
            if (!line.startsWith(EVENT + "{")) {
                continue;
            }
            if (id == null) {
                firstToken.run();
            }
            JsonNode event = JSON.readTree(line.substring(EVENT.length()));
            id = event.get("id").textValue();
            text.append(event.at("/choices/0/text").asText(""));
            tokens = event.at("/usage/completion_tokens").asInt(tokens);
        }
        return done ? Optional.of(new Told(id, text.toString(), tokens, -1, -1)) : Optional.empty();
    }

    /** Asks for a stream and goes away after its first line. */
    void hangUp(String body) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = http.send(completion(body), BodyHandlers.ofInputStream());
        try (InputStream stream = answer.body()) {
            if (answer.statusCode() != 200 || stream.read() < 0) {
                throw new AssertionError("no stream, status " + answer.statusCode());
            }
        }
    }

    int status(String path) throws IOException, InterruptedException {
        return get(path).statusCode();
    }

    /** A metric's value, summed over its labels. */
    long metric(String name) throws IOException, InterruptedException {
        return metric(name, "");
    }

    /** The same, of those with this label. */
    long metric(String name, String label) throws IOException, InterruptedException {
        Matcher line = Pattern.compile("(?m)^" + name + "\\{[^}]*" + Pattern.quote(label) + "[^}]*\\} ([0-9.E]+)$")
                .matcher(get("/metrics").body());
        boolean found = false;
        double sum = 0;
        while (line.find()) {
            found = true;
            sum += Double.parseDouble(line.group(1));
        }
        if (!found) {
            throw new AssertionError("no metric " + name);
        }
        return (long) sum;
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofString());
    }

    private HttpRequest completion(String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/v1/completions"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        key.ifPresent(given -> request.header("Authorization", "Bearer " + given));
        return request.build();
    }
}
