package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.DraftVisibility;
import io.tailrace.worker.http.EndpointOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller sees of drafting: nothing it is not allowed to, and with a spacing nothing at all. */
class HiddenDraftsTest {
    private static final int TOKENS = 60;
    private static final int EVENT_MILLIS = 2;
    private static final String CALL =
            "{\"model\":\"letters\",\"prompt\":\"once\",\"max_tokens\":60,\"temperature\":0,\"stream\":%s%s}";
    private static final String REPORT = ",\"tailrace\":{\"report\":true}";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void nobodyGetsAReportUnlessTheOperatorAllowsIt(String stream) throws Exception {
        try (TestWorker worker = start(DraftVisibility.defaults())) {
            HttpResponse<String> refused = worker.post("/v1/completions", CALL.formatted(stream, REPORT));
            assertThat(refused.statusCode()).isEqualTo(400);
            JsonNode error = JSON.readTree(refused.body()).get("error");
            assertThat(error.get("param").asText()).isEqualTo("tailrace.report");
            assertThat(error.get("message").asText()).contains("its operator may allow it");
            assertThat(worker.post("/v1/completions", CALL.formatted(stream, ""))
                            .body())
                    .doesNotContain("tailrace", "accepted");
        }
        try (TestWorker worker = start(new DraftVisibility(true, 0))) {
            assertThat(worker.post("/v1/completions", CALL.formatted(stream, REPORT))
                            .body())
                    .contains("\"tailrace\":{\"steps\":");
        }
    }

    @Test
    void aCallerMayAlwaysAskForNoReport() throws Exception {
        try (TestWorker worker = start(DraftVisibility.defaults())) {
            String call = CALL.formatted(false, ",\"tailrace\":{\"report\":false,\"drafts\":false}");
            assertThat(worker.post("/v1/completions", call).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"stop\":[\"zzzz\",\"qqqqq\"]"})
    void eachEventHasOneTokenWhetherDraftsWereAcceptedOrNot(String stops) throws Exception {
        List<String> unspaced;
        try (TestWorker worker = start(DraftVisibility.defaults())) {
            answerTwice(worker);
            unspaced = texts(worker.post("/v1/completions", CALL.formatted(true, stops)));
            assertThat(unspaced)
                    .as("drafts are accepted, and unspaced events show it")
                    .hasSizeLessThan(TOKENS / 2);
        }
        try (TestWorker worker = start(new DraftVisibility(false, EVENT_MILLIS))) {
            List<String> first = texts(worker.post("/v1/completions", CALL.formatted(true, stops)));
            answerTwice(worker);
            long before = System.nanoTime();
            List<String> drafted = texts(worker.post("/v1/completions", CALL.formatted(true, stops)));
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(TOKENS * EVENT_MILLIS * 1_000_000L);
            assertThat(drafted).isEqualTo(first).hasSizeBetween(stops.isEmpty() ? TOKENS : TOKENS / 2, TOKENS);
            assertThat(String.join("", drafted)).isEqualTo(String.join("", unspaced));
        }
    }

    @Test
    void aWholeAnswerComesWhenItsLastEventWould() throws Exception {
        try (TestWorker worker = start(new DraftVisibility(false, EVENT_MILLIS))) {
            answerTwice(worker);
            long before = System.nanoTime();
            HttpResponse<String> whole = worker.post("/v1/completions", CALL.formatted(false, ""));
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(TOKENS * EVENT_MILLIS * 1_000_000L);
            assertThat(JSON.readTree(whole.body())
                            .at("/usage/completion_tokens")
                            .asInt())
                    .isEqualTo(TOKENS);
        }
    }

    @Test
    void callersGetNoMetricsWhereOperatorsHaveAPortOfTheirOwn() throws Exception {
        try (TestWorker worker = TestWorker.start(
                folder,
                TestWorker.repeating(),
                EngineOptions.defaults(),
                EndpointOptions.defaults().withOperatorPort(0))) {
            assertThat(get(worker.url() + "/metrics").statusCode()).isEqualTo(404);
            assertThat(get(worker.url() + "/health/ready").statusCode()).isEqualTo(200);
            String operators =
                    "http://127.0.0.1:" + worker.endpoint.operatorPort().orElseThrow();
            assertThat(get(operators + "/metrics").body()).contains("tailrace_events_late_total");
            assertThat(get(operators + "/health/live").statusCode()).isEqualTo(200);
        }
        try (TestWorker worker = start(DraftVisibility.defaults())) {
            assertThat(worker.endpoint.operatorPort()).isEmpty();
            assertThat(get(worker.url() + "/metrics").body()).contains("tailrace_events_late_total");
        }
    }

    private static HttpResponse<String> get(String url) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aStopTextEndsASpacedAnswerWhereItEndsAnother() throws Exception {
        String text;
        try (TestWorker worker = start(DraftVisibility.defaults())) {
            text = String.join("", texts(worker.post("/v1/completions", CALL.formatted(true, ""))));
        }
        String stop = text.substring(20, 24);
        String cut = text.substring(0, text.indexOf(stop));
        try (TestWorker worker = start(new DraftVisibility(false, 1))) {
            String call = CALL.formatted(true, ",\"stop\":[\"%s\"]".formatted(stop));
            for (int time = 0; time < 3; time++) {
                assertThat(String.join("", texts(worker.post("/v1/completions", call))))
                        .isEqualTo(cut);
            }
        }
    }

    /** Answers until the worker has something to draft from. */
    private static void answerTwice(TestWorker worker) throws Exception {
        worker.post("/v1/completions", CALL.formatted(false, ""));
        worker.post("/v1/completions", CALL.formatted(false, ""));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            worker.post("/v1/completions", CALL.formatted(false, ""));
            return worker.worker
                    .scrape()
                    .lines()
                    .filter(line -> line.startsWith("tailrace_draft_tokens_accepted_total"))
                    .anyMatch(line -> !line.endsWith(" 0.0"));
        });
    }

    private static List<String> texts(HttpResponse<String> stream) {
        return stream.body()
                .lines()
                .filter(line -> line.startsWith("data: {"))
                .map(HiddenDraftsTest::text)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    private static String text(String line) {
        try {
            return JSON.readTree(line.substring("data: ".length()))
                    .at("/choices/0/text")
                    .asText();
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
    }

    private TestWorker start(DraftVisibility visibility) throws Exception {
        return TestWorker.start(
                folder,
                TestWorker.repeating(),
                EngineOptions.defaults(),
                EndpointOptions.defaults().withVisibility(visibility));
    }
}
