package io.tailrace.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tailrace.cli.fleet.Shown;
import io.tailrace.jobs.IndexJob;
import io.tailrace.terminal.BadInputException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.StreamSupport;

/** The index job as Flink's REST interface tells of it. */
final class JobRest {
    private static final Duration ANSWER_MAX = Duration.ofMillis(1_500);
    private static final String LATE =
            "Flink's REST interface did not answer within %.1f s.".formatted(ANSWER_MAX.toMillis() / 1e3);
    private static final String RESTARTS = "numRestarts";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build();
    private final URI root;

    JobRest(URI root) {
        if (!List.of("http", "https").contains(String.valueOf(root.getScheme())) || root.getHost() == null) {
            throw new BadInputException(
                    "--job-rest must be the address of Flink's REST interface, such as http://localhost:8081, got "
                            + root);
        }
        this.root = URI.create(root.toString().endsWith("/") ? root.toString() : root + "/");
    }

    /**
     * What it tells.
     *
     * @param state Flink's word for it
     * @param restarts null: it has not counted them
     * @param completed null: no checkpoint is completed
     */
    record Told(String state, Long restarts, Completed completed, long failedCheckpoints) {}

    /**
     * A completed checkpoint.
     *
     * @param atMillis when, in epoch milliseconds
     */
    record Completed(long atMillis, long durationMillis) {}

    /** It does not tell; the message is a sentence for operators. */
    static final class SilentException extends Exception {
        private static final long serialVersionUID = 1L;

        SilentException(String message) {
            super(message);
        }
    }

    /**
     * Asks; for a second and a half at most.
     *
     * @throws SilentException if there is no answer, or it is of no index job
     */
    Told ask() throws SilentException {
        CompletableFuture<Told> asked = get("jobs/overview").thenCompose(this::told);
        try {
            return asked.get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new SilentException(LATE);
        } catch (ExecutionException e) {
            throw new SilentException(sentence(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SilentException("Flink's REST interface was not waited for.");
        } finally {
            asked.cancel(true);
        }
    }

    private static String sentence(Throwable failure) {
        if (failure instanceof HttpTimeoutException) {
            return LATE;
        }
        return failure instanceof Unusable
                ? "Flink's REST interface does not tell of the job: %s.".formatted(failure.getMessage())
                : "Flink's REST interface cannot be reached (%s)."
                        .formatted(failure.getClass().getSimpleName());
    }

    private CompletableFuture<Told> told(JsonNode overview) {
        JsonNode job = newest(overview);
        if (job.isMissingNode()) {
            return CompletableFuture.failedFuture(new Unusable("it knows no job " + IndexJob.NAME));
        }
        String path = "jobs/" + job.path("jid").asText();
        return get(path + "/checkpoints")
                .thenCombine(
                        get(path + "/metrics?get=" + RESTARTS),
                        (checkpoints, metrics) ->
                                told(job.path("state").asText(), checkpoints, metrics.at("/0/value")));
    }

    private static JsonNode newest(JsonNode overview) {
        return StreamSupport.stream(overview.path("jobs").spliterator(), false)
                .filter(job -> job.path("name").asText().equals(IndexJob.NAME))
                .max(Comparator.comparingLong(job -> job.path("start-time").asLong()))
                .orElse(MissingNode.getInstance());
    }

    private static Told told(String state, JsonNode checkpoints, JsonNode restarts) {
        JsonNode newest = checkpoints.at("/latest/completed");
        return new Told(
                Shown.text(state),
                restarts.isMissingNode() ? null : restarts.asLong(),
                newest.isObject()
                        ? new Completed(
                                newest.path("latest_ack_timestamp").asLong(),
                                newest.path("end_to_end_duration").asLong())
                        : null,
                checkpoints.at("/counts/failed").asLong());
    }

    private CompletableFuture<JsonNode> get(String path) {
        HttpRequest request =
                HttpRequest.newBuilder(root.resolve(path)).timeout(ANSWER_MAX).build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(JobRest::json);
    }

    private static JsonNode json(HttpResponse<String> answer) {
        if (answer.statusCode() != 200) {
            throw new Unusable("status %d".formatted(answer.statusCode()));
        }
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new Unusable("no JSON");
        }
    }

    /** An answer that says nothing of the job. */
    private static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unusable(String why) {
            super(why);
        }
    }
}
