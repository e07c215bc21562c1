package io.tailrace.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.worker.model.LetterTokenizer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes that a client sends over a connection: whatever they are, the server answers soon, and is not at fault itself. */
class HttpRequestFuzzTest {
    private static final int ANSWER_MILLIS_MAX = 5_000;
    /** Stopping or full; and what HTTP has for methods and versions that nobody knows. */
    private static final Set<Integer> NO_FAULTS = Set.of(503, 501, 505);

    private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.[01] ([0-9]{3})", Pattern.MULTILINE);

    private static ServingEndpoint endpoint;

    @BeforeAll
    static void start() {
        EndpointOptions options = EndpointOptions.defaults()
                .withRequestBytesMax(1 << 10)
                .withBodyMillisMax(1_000)
                .withKeys(Map.of("key", "scope"));
        endpoint = ServingEndpoint.start(options, new DeafBackend(new LetterTokenizer()));
    }

    @AfterAll
    static void stop() {
        endpoint.close();
    }

    static Stream<byte[]> seeds() {
        String body = "{\"model\":\"letters\",\"prompt\":\"once\"}";
        String head = " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer key\r\n";
        return Stream.of(
                        "POST /v1/completions" + head + "Content-Length: " + body.length() + "\r\n\r\n" + body,
                        "POST /v1/completions" + head + "Transfer-Encoding: chunked\r\n\r\n"
                                + Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n",
                        "POST /v1/chat/completions" + head + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}",
                        "POST /v1/completions" + head + "Content-Length: 2000\r\n\r\n" + "x".repeat(2_000),
                        "GET /v1/models" + head + "\r\nGET /v1/models/letters" + head + "Connection: close\r\n\r\n",
                        "POST /tokenize" + head + "Content-Length: " + body.length() + "\r\n\r\n" + body,
                        "GET /metrics HTTP/1.0\r\n\r\n",
                        "HEAD /health/live" + head + "\r\n",
                        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
                        "GET /v1/models/%2e%2e/%00;a=b?c HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n",
                        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @MethodSource("seeds")
    @FuzzTest
    void aRequestIsAnsweredOrRefused(byte[] sent) throws Exception {
        String answer = answer(sent);
        Matcher status = STATUS.matcher(answer);
        while (status.find()) {
            int code = Integer.parseInt(status.group(1));
            assertThat(code < 500 || NO_FAULTS.contains(code)).as(answer).isTrue();
        }
    }

    private static String answer(byte[] sent) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(sent);
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException e) {
            return ""; // it has closed before it read all
        }
    }
}
