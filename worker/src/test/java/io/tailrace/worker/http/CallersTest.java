package io.tailrace.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.engine.RefusedRequestException;
import io.tailrace.worker.model.LetterTokenizer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose a call is. The backend answers 429 to whatever it understands. */
class CallersTest {
    private static final String BODY = "{\"model\":\"letters\",\"prompt\":\"once\"}";

    /** A client that sends the gateway's header itself must not be taken for another tenant. */
    @ParameterizedTest
    @CsvSource({
        "POST, X-Scope: victim, X-Scope: mine, 400",
        "POST, x-scope: mine, X-SCOPE: mine, 400",
        "POST, X-Scope: mine, A: b, 429",
        "POST, X-Scope:, A: b, 429",
        "POST, A: b, A: b, 429",
        "GET, X-Scope: victim, X-Scope: mine, 400",
        "GET, X-Scope: mine, A: b, 200"
    })
    void aScopeIsNamedOnce(String method, String first, String second, int status) throws Exception {
        EndpointOptions options = new EndpointOptions("127.0.0.1", 0, 4 << 20, 200, "default", "X-Scope", Map.of());
        assertThat(ask(options, method, first, second)).startsWith("HTTP/1.1 " + status);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, Authorization: Bearer k, Authorization: Bearer other, 400",
        "POST, Authorization: Bearer k, authorization: Bearer k, 400",
        "POST, Authorization: Bearer k, A: b, 429",
        "POST, A: b, A: b, 401",
        "GET, Authorization: Bearer k, Authorization: Bearer other, 400",
        "GET, Authorization: Bearer k, A: b, 200"
    })
    void aKeyIsGivenOnce(String method, String first, String second, int status) throws Exception {
        EndpointOptions options = EndpointOptions.defaults().withKeys(Map.of("k", "mine", "other", "victim"));
        assertThat(ask(options, method, first, second)).startsWith("HTTP/1.1 " + status);
    }

    private static String ask(EndpointOptions options, String method, String first, String second) throws IOException {
        String path = method.equals("GET") ? "/v1/models/letters" : "/v1/completions";
        String body = method.equals("GET") ? "" : BODY;
        DeafBackend backend = new DeafBackend(
                new LetterTokenizer(), Optional.of(DeafBackend::spell), RefusedRequestException.Reason.QUEUE_FULL);
        try (ServingEndpoint endpoint = ServingEndpoint.start(options, backend);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("%s %s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n%s\r\n%s\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(method, path, first, second, body.length(), body)
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
