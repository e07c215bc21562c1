package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.EndpointOptions;
import java.io.IOException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thousand connections without a key, each of which sends a byte of its body a second and comes again when it is turned away. */
@Tag("full")
class SlowConnectionsTest {
    private static final int CONNECTIONS = 1_000;
    /** So many of them send a byte together, and a hundredth of a second later the next ones. */
    private static final int AT_ONCE = 10;

    private static final int PACE_MILLIS = 10;
    /** Bytes that all of them together send before it is over, at least. */
    private static final int BYTES_MIN = 10 * CONNECTIONS;

    private static final int ANSWER_TOKENS = 3_000;
    private static final Duration HEALTH_MAX = Duration.ofSeconds(1);
    private static final Duration ANSWER_MAX = Duration.ofMinutes(3);
    private static final String HEAD =
            "POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n";

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Socket[] sockets = new Socket[CONNECTIONS];
    private final AtomicLong bytesSent = new AtomicLong();
    private int next;

    @ParameterizedTest(name = "the worker asks for keys: {0}")
    @ValueSource(booleans = {true, false})
    void healthAnswersWithinASecondAndAKeyedRequestGoesOnAndCompletes(boolean asksForKeys) throws Exception {
        EndpointOptions options = EndpointOptions.defaults().withKeys(asksForKeys ? Map.of("k", "default") : Map.of());
        try (TestWorker worker = TestWorker.start(folder, TestWorker.endless(), EngineOptions.defaults(), options)) {
            healthMillis(worker); // the first one also loads classes
            ScheduledExecutorService slow = Executors.newSingleThreadScheduledExecutor();
            ScheduledFuture<?> dripping =
                    slow.scheduleAtFixedRate(() -> drip(worker.endpoint.port()), 0, PACE_MILLIS, TimeUnit.MILLISECONDS);
            CompletableFuture<HttpResponse<String>> answer = null;
            List<Long> healthMillis = new ArrayList<>();
            try {
                while (answer == null || !answer.isDone() || bytesSent.get() < BYTES_MIN) {
                    assertThat(dripping.isDone()).as("the slow ones have ended").isFalse();
                    healthMillis.add(healthMillis(worker));
                    if (answer == null && bytesSent.get() >= CONNECTIONS) {
                        answer = client.sendAsync(keyed(worker), BodyHandlers.ofString());
                    }
                }
            } finally {
                slow.submit((Runnable) this::hangUp).get();
                slow.shutdownNow();
            }
            assertThat(answer.get().body()).endsWith("data: [DONE]\n\n").contains("\"finish_reason\":\"length\"");
            assertThat(healthMillis).hasSizeGreaterThan(100).allMatch(millis -> millis <= HEALTH_MAX.toMillis());
        }
    }

    private long healthMillis(TestWorker worker) throws IOException, InterruptedException {
        long began = System.nanoTime();
        HttpRequest request = HttpRequest.newBuilder(URI.create(worker.url() + "/health/ready"))
                .timeout(ANSWER_MAX)
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        return Duration.ofNanos(System.nanoTime() - began).toMillis();
    }

    private static HttpRequest keyed(TestWorker worker) {
        return HttpRequest.newBuilder(URI.create(worker.url() + "/v1/completions"))
                .timeout(ANSWER_MAX)
                .header("Authorization", "Bearer k")
                .POST(BodyPublishers.ofString(
                        "{\"model\":\"letters\",\"prompt\":\"once\",\"max_tokens\":%d,\"stream\":true}"
                                .formatted(ANSWER_TOKENS)))
                .build();
    }

    private void drip(int port) {
        for (int i = 0; i < AT_ONCE; i++) {
            dripOne(next, port);
            next = (next + 1) % CONNECTIONS;
        }
    }

    private void hangUp() {
        for (int i = 0; i < CONNECTIONS; i++) {
            hangUp(i);
        }
    }

    private void dripOne(int i, int port) {
        try {
            if (sockets[i] == null) {
                sockets[i] = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
                sockets[i].getOutputStream().write(HEAD.getBytes(StandardCharsets.US_ASCII));
            }
            sockets[i].getOutputStream().write(' ');
            bytesSent.incrementAndGet();
        } catch (IOException turnedAway) {
            hangUp(i);
        }
    }

    private void hangUp(int i) {
        try {
            if (sockets[i] != null) {
                sockets[i].close();
            }
        } catch (IOException e) {
            // It is gone either way.
        }
        sockets[i] = null;
    }
}
