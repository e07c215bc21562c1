package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.EndpointOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a stock client does not show: bytes, connections that break, health. */
class RawHttpTest {
    private static final String COMPLETION = "{\"model\":\"letters\",\"prompt\":\"once\",\"max_tokens\":%d}";

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1", "HTTP/1.0"})
    void aClientThatHangsUpWhileItWaitsFreesItsPlace(String version) throws Exception {
        try (TestWorker worker = TestWorker.start(
                folder, TestWorker.endless(), EngineOptions.defaults().withBatchMax(1), EndpointOptions.defaults())) {
            try (Socket socket =
                    new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), worker.endpoint.port())) {
                send(socket, version, COMPLETION.formatted(50_000));
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> worker.model.openSequences() == 1);
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(worker.worker.scrape())
                            .contains("tailrace_requests_cancelled_total{worker=\"test\"} 1.0"));
            assertThat(worker.model.openSequences()).isZero();
        }
    }

    @Test
    void aConnectionServesOneRequestAfterTheOther() throws Exception {
        try (TestWorker worker = start();
                Socket socket =
                        new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), worker.endpoint.port())) {
            for (int i = 0; i < 50; i++) {
                send(socket, COMPLETION.formatted(1 + i));
                assertThat(readAnswer(socket.getInputStream())).contains("\"completion_tokens\":%d,".formatted(1 + i));
            }
        }
    }

    @Test
    void aRequestSentBeforeTheAnswerIsAnsweredOrTheConnectionCloses() throws Exception {
        try (TestWorker worker = start();
                Socket socket =
                        new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), worker.endpoint.port())) {
            send(socket, COMPLETION.formatted(150));
            send(socket, COMPLETION.formatted(2));
            assertThat(readAnswer(socket.getInputStream())).contains("\"completion_tokens\":150,");
            String second = readAnswer(socket.getInputStream());
            assertThat(second.isEmpty() || second.contains("\"completion_tokens\":2,"))
                    .as(second)
                    .isTrue();
        }
    }

    /** Either the stream is the connection's last answer, or the next one is whole: never an answer to half a request. */
    @Test
    void aRequestSentDuringAStreamIsAnsweredOrTheConnectionCloses() throws Exception {
        try (TestWorker worker = TestWorker.start(
                        folder, TestWorker.endless(), EngineOptions.defaults(), EndpointOptions.defaults());
                Socket socket = connect(worker)) {
            send(socket, COMPLETION.formatted(300).replace("}", ",\"stream\":true}"));
            InputStream in = socket.getInputStream();
            String all = readUntil(in, "data: ");
            send(socket, COMPLETION.formatted(2));
            all += readUntil(in, "data: [DONE]\n\n\r\n0\r\n\r\n");
            assertThat(all).startsWith("HTTP/1.1 200").endsWith("0\r\n\r\n");
            String second = readAnswer(in);
            assertThat(second.isEmpty() || second.contains("\"completion_tokens\":2"))
                    .as(second)
                    .isTrue();
        }
    }

    @Test
    void aRequestSentBeforeAnErrorIsAnsweredOrTheConnectionCloses() throws Exception {
        try (TestWorker worker = TestWorker.start(
                        folder, TestWorker.endless(), EngineOptions.defaults(), EndpointOptions.defaults());
                Socket socket = connect(worker)) {
            send(socket, COMPLETION.formatted(50_000));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> worker.model.openSequences() == 1);
            send(socket, COMPLETION.formatted(2));
            assertThat(worker.worker.drain(Duration.ofMillis(200))).isFalse();
            assertThat(readAnswer(socket.getInputStream())).contains("before the answer was complete");
            String second = readAnswer(socket.getInputStream());
            assertThat(second.isEmpty() || second.contains("this worker is stopping"))
                    .as(second)
                    .isTrue();
        }
    }

    @Test
    void aStreamBeginsAtOnceHoweverLongTheQueue() throws Exception {
        try (TestWorker worker = TestWorker.start(
                        folder,
                        TestWorker.endless(),
                        EngineOptions.defaults().withBatchMax(1),
                        EndpointOptions.defaults());
                Socket first = connect(worker);
                Socket second = connect(worker)) {
            send(first, COMPLETION.formatted(50_000));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> worker.model.openSequences() == 1);
            send(second, COMPLETION.formatted(5).replace("}", ",\"stream\":true}"));
            assertThat(readUntil(second.getInputStream(), "\r\n\r\n"))
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("Content-Type: text/event-stream");
            assertThat(worker.worker.scrape()).contains("tailrace_requests_queued{worker=\"test\"} 1.0");
        }
    }

    @Test
    void errorsHaveTheShapeThatClientsRead() throws Exception {
        try (TestWorker worker = TestWorker.start(
                folder,
                TestWorker.repeating(),
                EngineOptions.defaults(),
                EndpointOptions.defaults().withRequestBytesMax(1_000))) {
            assertError(post(worker, "/v1/completions", "{"), 400, "no JSON");
            assertError(post(worker, "/v1/completions", "[]"), 400, "JSON object");
            assertError(post(worker, "/v1/completions", "{\"prompt\":\"a\"}"), 400, "model must be given");
            assertError(post(worker, "/v1/completions", "{\"model\":\"letters\"}"), 400, "prompt must be given");
            assertError(post(worker, "/v1/completions", "{\"model\":\"letters\",\"prompt\":[1,99]}"), 400, "token ids");
            assertError(
                    post(worker, "/v1/completions", "{\"model\":\"letters\",\"prompt\":\"a\",\"max_tokens\":0}"),
                    400,
                    "max_tokens");
            assertError(
                    post(worker, "/v1/completions", "{\"model\":\"letters\",\"prompt\":\"a\",\"stream\":3}"),
                    400,
                    "stream must be true or false");
            assertError(
                    post(worker, "/v1/completions", "{\"model\":\"letters\",\"prompt\":\"a\",\"echo\":true}"),
                    400,
                    "echo must be false");
            assertError(
                    post(
                            worker,
                            "/v1/chat/completions",
                            "{\"model\":\"letters\",\"messages\":[{\"role\":\"nobody\",\"content\":\"a\"}]}"),
                    400,
                    "no such role");
            assertError(post(worker, "/v1/completions", "\"" + "a".repeat(2_000) + "\""), 413, "1000 bytes");
            assertError(post(worker, "/v1/embeddings", "{}"), 404, "no such path");
        }
    }

    @Test
    void aStoppingWorkerAnswersWhatItHasAndRefusesWhatIsNew() throws Exception {
        try (TestWorker worker = start()) {
            assertThat(get(worker, "/health/ready").statusCode()).isEqualTo(200);
            assertThat(worker.worker.drain(Duration.ofSeconds(60))).isTrue();
            assertError(post(worker, "/v1/completions", COMPLETION.formatted(3)), 503, "stopping");
            assertThat(get(worker, "/health/live").statusCode()).isEqualTo(200);
            assertThat(get(worker, "/health/ready").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void anAnswerThatIsCutShortNeverLooksWhole() throws Exception {
        try (TestWorker worker =
                TestWorker.start(folder, TestWorker.endless(), EngineOptions.defaults(), EndpointOptions.defaults())) {
            String body = COMPLETION.formatted(50_000);
            CompletableFuture<HttpResponse<String>> whole =
                    CompletableFuture.supplyAsync(() -> postUnchecked(worker, body));
            CompletableFuture<HttpResponse<String>> streamed =
                    CompletableFuture.supplyAsync(() -> postUnchecked(worker, body.replace("}", ",\"stream\":true}")));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> worker.model.openSequences() == 2);
            assertThat(worker.worker.drain(Duration.ZERO)).isFalse();
            assertError(whole.get(), 503, "before the answer was complete");
            assertThat(streamed.get().body())
                    .contains("before the answer was complete")
                    .doesNotContain("[DONE]", "\"finish_reason\":\"length\"");
        }
    }

    @Test
    void aBrokenModelIsSaidToBeBroken() throws Exception {
        try (TestWorker worker = start()) {
            worker.model.breakWith(new IllegalStateException("out of order"));
            assertError(post(worker, "/v1/completions", COMPLETION.formatted(3)), 500, "inside the server");
            assertThat(get(worker, "/health/live").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void metricsSayWhatWasServedAndInHowManySteps() throws Exception {
        try (TestWorker worker = start()) {
            post(worker, "/v1/completions", COMPLETION.formatted(30));
            post(worker, "/v1/completions", COMPLETION.formatted(12));
            post(worker, "/v1/completions", COMPLETION.formatted(3).replace("once", "a".repeat(300)));
            String lane = "{lane=\"letters@1/default\",worker=\"test\"}";
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () -> assertThat(get(worker, "/metrics").body().lines())
                                    .contains(
                                            "tailrace_requests_total%s 2.0".formatted(lane),
                                            "tailrace_response_tokens_total%s 42.0".formatted(lane),
                                            "tailrace_first_token_time_seconds_count{worker=\"test\"} 2",
                                            "tailrace_requests_running{worker=\"test\"} 0.0",
                                            "tailrace_requests_queued{worker=\"test\"} 0.0",
                                            "tailrace_requests_refused_total{reason=\"too_long\",worker=\"test\"} 1.0",
                                            "tailrace_requests_refused_total{reason=\"queue_full\",worker=\"test\"} 0.0"));
            String metrics = get(worker, "/metrics").body();
            double steps = value(metrics, "tailrace_steps_total" + lane);
            assertThat(value(metrics, "tailrace_step_time_seconds_count{worker=\"test\"}"))
                    .as("one at a time")
                    .isEqualTo(steps);
            assertThat(steps + value(metrics, "tailrace_draft_tokens_accepted_total" + lane))
                    .as(
                            "each token was accepted or the model's own; an answer's last step has none of its own if its end was accepted")
                    .isBetween(42.0, 44.0);
        }
    }

    private static double value(String metrics, String name) {
        return metrics.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private TestWorker start() throws IOException {
        return TestWorker.start(folder, TestWorker.repeating(), EngineOptions.defaults(), EndpointOptions.defaults());
    }

    private HttpResponse<String> post(TestWorker worker, String path, String body)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(worker.url() + path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> postUnchecked(TestWorker worker, String body) {
        try {
            return post(worker, "/v1/completions", body);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpResponse<String> get(TestWorker worker, String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(worker.url() + path)).build(), BodyHandlers.ofString());
    }

    private static void assertError(HttpResponse<String> answer, int status, String words) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).startsWith("{\"error\":{\"message\":").contains(words);
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
    }

    private static void send(Socket socket, String body) throws IOException {
        send(socket, "HTTP/1.1", body);
    }

    private static void send(Socket socket, String version, String body) throws IOException {
        String head =
                "POST /v1/completions %s\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        .formatted(version, body.length());
        socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static Socket connect(TestWorker worker) throws IOException {
        return new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), worker.endpoint.port());
    }

    /** What comes until the words have come, or all if they do not. */
    private static String readUntil(InputStream in, String words) throws IOException {
        StringBuilder read = new StringBuilder();
        int next;
        while (read.indexOf(words, Math.max(0, read.length() - words.length())) < 0 && (next = in.read()) >= 0) {
            read.append((char) next);
        }
        return read.toString();
    }

    /** Head and body of one answer with a stated length; empty if the connection is closed. */
    private static String readAnswer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
        int at = lower.indexOf("content-length:") + "content-length:".length();
        int length =
                Integer.parseInt(lower.substring(at, lower.indexOf("\r\n", at)).strip());
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
