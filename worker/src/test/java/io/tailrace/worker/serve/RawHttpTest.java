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

/** What a stock client does not show: bytes, connections that break, health. */
class RawHttpTest {
    private static final String COMPLETION = "{\"model\":\"letters\",\"prompt\":\"once\",\"max_tokens\":%d}";

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void aClientThatHangsUpWhileItWaitsFreesItsPlace() throws Exception {
        try (TestWorker worker = TestWorker.start(
                folder, TestWorker.endless(), EngineOptions.defaults().withBatchMax(1), EndpointOptions.defaults())) {
            try (Socket socket =
                    new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), worker.endpoint.port())) {
                send(socket, COMPLETION.formatted(50_000));
                Awaitility.await().until(() -> worker.model.openSequences() == 1);
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(5))
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
                assertThat(readAnswer(socket.getInputStream())).contains("\"completion_tokens\":");
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
            assertThat(readAnswer(socket.getInputStream())).contains("\"completion_tokens\":");
            String second = readAnswer(socket.getInputStream());
            assertThat(second.isEmpty() || second.contains("\"completion_tokens\":"))
                    .isTrue();
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
                    post(worker, "/v1/completions", "{\"model\":\"letters\",\"prompt\":\"a\",\"logprobs\":3}"),
                    400,
                    "logprobs is not supported");
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
            assertThat(worker.worker.drain(Duration.ofSeconds(10))).isTrue();
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
            Awaitility.await().until(() -> worker.model.openSequences() == 2);
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
    void metricsSpeakOfQueueStepsAndTokens() throws Exception {
        try (TestWorker worker = start()) {
            post(worker, "/v1/completions", COMPLETION.formatted(30));
            Awaitility.await()
                    .untilAsserted(() -> assertThat(get(worker, "/metrics").body())
                            .contains(
                                    "tailrace_requests_total{",
                                    "tailrace_step_time_seconds_bucket",
                                    "tailrace_first_token_time_seconds",
                                    "tailrace_requests_running",
                                    "tailrace_requests_refused_total{reason=\"queue_full\""));
        }
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
        String head =
                "POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        .formatted(body.length());
        socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
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
