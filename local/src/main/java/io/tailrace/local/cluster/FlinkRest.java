package io.tailrace.local.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The cluster's REST interface. */
public final class FlinkRest {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final long SAVEPOINT_SECONDS_MAX = 60;
    private static final long LOOK_MILLIS = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build();
    private final URI root;

    FlinkRest(int port) {
        this.root = URI.create("http://127.0.0.1:" + port + "/");
    }

    /** Slots that are registered, free or not. */
    public int slots() throws IOException, InterruptedException {
        return get("overview").path("slots-total").asInt();
    }

    /** Flink's word for the job's state; empty: the JobManager does not know it. */
    public String state(String job) throws IOException, InterruptedException {
        for (JsonNode known : get("jobs/overview").path("jobs")) {
            if (known.path("jid").asText().equals(job)) {
                return known.path("state").asText();
            }
        }
        return "";
    }

    /** Why a job has failed. */
    public String failure(String job) throws IOException, InterruptedException {
        JsonNode exceptions = get("jobs/" + job + "/exceptions");
        return exceptions
                        .path("exceptionHistory")
                        .path("entries")
                        .path(0)
                        .path("stacktrace")
                        .asText()
                + exceptions.path("root-exception").asText();
    }

    public void cancel(String job) throws IOException, InterruptedException {
        send(request("jobs/" + job + "?mode=cancel").method("PATCH", HttpRequest.BodyPublishers.noBody()));
    }

    /** Takes a savepoint and returns where it lies. */
    public String savepoint(String job) throws IOException, InterruptedException {
        return await(job, post("jobs/" + job + "/savepoints", Map.of("cancel-job", false)));
    }

    /** Stops the job with a savepoint and returns where that lies. */
    public String stop(String job) throws IOException, InterruptedException {
        return await(job, post("jobs/" + job + "/stop", Map.of("drain", false)));
    }

    private String await(String job, JsonNode triggered) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SAVEPOINT_SECONDS_MAX);
        String place =
                "jobs/" + job + "/savepoints/" + triggered.path("request-id").asText();
        while (System.nanoTime() < deadline) {
            JsonNode answer = get(place);
            if (answer.path("status").path("id").asText().equals("COMPLETED")) {
                JsonNode done = answer.path("operation");
                if (!done.has("location")) {
                    throw new IOException("no savepoint of job " + job + ": "
                            + done.path("failure-cause")
                                    .path("stack-trace")
                                    .asText()
                                    .lines()
                                    .findFirst()
                                    .orElse(""));
                }
                return done.path("location").asText();
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        throw new IOException("no savepoint of job %s within %d s".formatted(job, SAVEPOINT_SECONDS_MAX));
    }

    private JsonNode post(String place, Map<String, Object> body) throws IOException, InterruptedException {
        return send(request(place)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    private JsonNode get(String place) throws IOException, InterruptedException {
        return send(request(place).GET());
    }

    private HttpRequest.Builder request(String place) {
        return HttpRequest.newBuilder(root.resolve(place)).timeout(ANSWER_MAX);
    }

    private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new IOException("%s answers %d: %s".formatted(answer.uri(), answer.statusCode(), answer.body()));
        }
        return JSON.readTree(answer.body());
    }
}
