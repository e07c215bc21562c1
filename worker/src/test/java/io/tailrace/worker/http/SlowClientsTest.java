package io.tailrace.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.engine.RefusedRequestException;
import io.tailrace.worker.model.LetterTokenizer;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that send slowly, or too much: others do not notice. The backend answers 429 to whatever it understands. */
class SlowClientsTest {
    private static final String BODY = "{\"model\":\"letters\",\"prompt\":\"once\"}";
    private static final int CONNECTIONS = 1_000;
    private static final int ANSWER_MILLIS_MAX = 60_000;
    /** Whoever waits for a slow body waits longer than for any answer. */
    private static final int BODY_MILLIS_MAX = 10 * ANSWER_MILLIS_MAX;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Socket> sockets = new ArrayList<>();
    private ServingEndpoint endpoint;

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        endpoint.close();
    }

    @Test
    void aThousandSlowBodiesDelayNeitherHealthNorCalls() throws Exception {
        start(EndpointOptions.defaults().withKeys(Map.of("k", "s")).withBodyMillisMax(BODY_MILLIS_MAX));
        for (int i = 0; i < CONNECTIONS; i++) {
            send(head(i % 2 == 0 ? "k" : "wrong", 1_000) + "{");
        }
        for (int i = 0; i < 20; i++) {
            assertThat(get("/health/live").statusCode()).isEqualTo(200);
            assertThat(get("/metrics").statusCode()).isEqualTo(200);
            assertThat(post(BODY).body()).contains("deaf");
        }
    }

    @Test
    void withoutAKeyABodyIsNotWaitedFor() throws Exception {
        start(EndpointOptions.defaults().withKeys(Map.of("k", "s")));
        assertThat(answer(send(head("wrong", 1_000))))
                .startsWith("HTTP/1.1 401")
                .contains("invalid_api_key");
    }

    @Test
    void aBodyThatTakesTooLongIsNotWaitedFor() throws Exception {
        start(EndpointOptions.defaults().withBodyMillisMax(200));
        assertThat(answer(send(head("k", 1_000) + "{")))
                .startsWith("HTTP/1.1 408")
                .as("its own time is over, not the connection's")
                .contains("request_timeout", "not here whole after 200 ms");
        Awaitility.await()
                .atMost(Duration.ofMillis(ANSWER_MILLIS_MAX))
                .until(() -> post(BODY).body().contains("deaf"));
    }

    @Test
    void aBodyMayComeInPieces() throws Exception {
        start(EndpointOptions.defaults());
        for (int i = 0; i < 20; i++) {
            Socket socket = send(head("k", BODY.length()) + BODY.substring(0, i));
            write(socket, BODY.substring(i));
            assertThat(answer(socket)).startsWith("HTTP/1.1 429").contains("deaf");
        }
    }

    @Test
    void aBodyThatIsNotFramedAsItSaysIsRefused() throws Exception {
        start(EndpointOptions.defaults().withRequestBytesMax(100));
        String chunked = head("k", 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
        assertThat(answer(send(chunked + "nonsense\r\n"))).startsWith("HTTP/1.1 400");
        assertThat(answer(send(chunked + "80\r\n" + "a".repeat(128) + "\r\n"))).startsWith("HTTP/1.1 413");
        assertThat(answer(send(head("k", 101)))).startsWith("HTTP/1.1 413").contains("100 bytes");
        Socket half = send(head("k", 50) + "{");
        half.shutdownOutput();
        assertThat(answer(half)).doesNotStartWith("HTTP/1.1 5");
    }

    @Test
    void aPromptThatTheContextCannotHoldIsNotTokenized() throws Exception {
        start(EndpointOptions.defaults());
        String word = "a".repeat(3_900_000);
        assertTooLong(post(BODY.replace("once", word)));
        assertTooLong(post(
                "/v1/chat/completions",
                "{\"model\":\"letters\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}".formatted(word)));
    }

    private static void assertTooLong(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("context_length_exceeded", "3900", "256 tokens holds at most 256");
    }

    private void start(EndpointOptions options) {
        endpoint = ServingEndpoint.start(
                options,
                new DeafBackend(
                        new ShortTexts(), Optional.of(DeafBackend::spell), RefusedRequestException.Reason.QUEUE_FULL));
    }

    /** What the context cannot hold must not come here. */
    private static final class ShortTexts extends LetterTokenizer {
        @Override
        public int[] encode(String text, boolean specialTokens) {
            assertThat(text.length()).isLessThanOrEqualTo(256);
            return super.encode(text, specialTokens);
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return ask(HttpRequest.newBuilder(uri(path)));
    }

    private HttpResponse<String> post(String body) throws Exception {
        return post("/v1/completions", body);
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return ask(HttpRequest.newBuilder(uri(path))
                .header("Authorization", "Bearer k")
                .POST(BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> ask(HttpRequest.Builder request) throws Exception {
        return client.send(request.timeout(Duration.ofMillis(ANSWER_MILLIS_MAX)).build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:%d%s".formatted(endpoint.port(), path));
    }

    private static String head(String key, int length) {
        return "POST /v1/completions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
                .formatted(key, length);
    }

    private Socket send(String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), endpoint.port());
        socket.setSoTimeout(ANSWER_MILLIS_MAX);
        sockets.add(socket);
        write(socket, bytes);
        return socket;
    }

    private static void write(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    /** Head and the first bytes of the body. */
    private static String answer(Socket socket) throws IOException {
        StringBuilder read = new StringBuilder();
        byte[] bytes = new byte[4_096];
        for (int count = socket.getInputStream().read(bytes);
                count >= 0;
                count = read.indexOf("}}") >= 0 ? -1 : socket.getInputStream().read(bytes)) {
            read.append(new String(bytes, 0, count, StandardCharsets.US_ASCII));
        }
        return read.toString();
    }
}
