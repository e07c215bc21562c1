package io.tailrace.tap;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bytes through the proxy: of a client where the input begins with a C, of the server with an S. Whatever they are, the client is answered soon or
 * sees its connection end, and the server gets one request on each connection and nothing behind it.
 */
class ProxyFuzzTest {
    private static final int ANSWER_MILLIS_MAX = 5_000;
    /** So long a client waits for an answer before it ends its connection in one direction, which the proxy takes for gone. */
    private static final int PATIENCE_MILLIS = 100;
    /** A server that has not got all of a request by then closes: it does not say that a client may go on that waits for it. */
    private static final int REQUEST_MILLIS_MAX = 200;

    /** The server did not answer, or took too long; and what HTTP has for methods and versions that nobody knows. */
    private static final Set<Integer> NO_FAULTS = Set.of(501, 502, 504, 505);

    private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.[01] ([0-9]{3})", Pattern.MULTILINE);
    private static final byte OF_SERVER = 'S';
    private static final byte[] REQUEST = "POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
            .getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(StandardCharsets.ISO_8859_1);

    private static Upstream upstream;
    private static TestTap tap;

    @BeforeAll
    static void start() throws IOException {
        upstream = new Upstream();
        tap = TestTap.before(upstream.url());
    }

    @AfterAll
    static void stop() throws IOException {
        tap.close();
        upstream.close();
    }

    static Stream<byte[]> seeds() {
        return Stream.of(
                        "CPOST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
                        "CPOST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: x\r\n\r\n2;a=b\r\n{}\r\n0\r\nx: y\r\n\r\n",
                        "CPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                        "CGET //v1/models?q=%zz HTTP/1.0\r\nConnection: keep-alive, x\r\nX: 1\r\n\r\n",
                        "CCONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n",
                        "COPTIONS * HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\n\r\n",
                        "SHTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
                        "SHTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nTrailer: x\r\n\r\nf\r\ndata: {\"a\":1}\n\n\r\n0\r\nx: y\r\n\r\n",
                        "SHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 No\r\nConnection: close, x\r\nx: 1\r\n\r\nrest",
                        "SHTTP/1.0 204 Nothing\r\nContent-Length: 5\r\n\r\nhello",
                        "SHTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
                        "SHTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc")
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @MethodSource("seeds")
    @FuzzTest
    void bytesGoThroughOrEnd(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        byte[] bytes = Arrays.copyOfRange(data, 1, data.length);
        boolean ofServer = data[0] == OF_SERVER;
        upstream.answer = ofServer ? bytes : ANSWER;
        String answer = answer(ofServer ? REQUEST : bytes);
        Matcher status = STATUS.matcher(answer);
        while (!ofServer && status.find()) {
            int code = Integer.parseInt(status.group(1));
            assertThat(code < 500 || NO_FAULTS.contains(code)).as(answer).isTrue();
        }
        assertThat(upstream.behindARequest).isNull();
    }

    /** What comes first; the rest is only waited for: behind its own end a client is told whatever. */
    private static String answer(byte[] sent) throws IOException {
        try (Socket socket = tap.connect()) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(sent);
            String first = first(socket);
            socket.shutdownOutput();
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            socket.getInputStream().readAllBytes();
            return first;
        } catch (SocketException e) {
            return ""; // it has closed before it read all
        }
    }

    private static String first(Socket socket) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        byte[] bytes = new byte[1 << 12];
        try {
            int count = socket.getInputStream().read(bytes);
            return new String(bytes, 0, Math.max(0, count), StandardCharsets.ISO_8859_1);
        } catch (SocketTimeoutException e) {
            return "";
        }
    }

    /** A server that reads one request, says what it was told to, and closes. */
    private static final class Upstream implements Runnable, AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        volatile byte[] answer = ANSWER;
        volatile String behindARequest;

        Upstream() throws IOException {
            Thread thread = new Thread(this, "upstream");
            thread.setDaemon(true);
            thread.start();
        }

        URI url() {
            return URI.create("http://127.0.0.1:" + listening.getLocalPort());
        }

        @Override
        public void run() {
            while (!listening.isClosed()) {
                try (Socket client = listening.accept()) {
                    client.setSoTimeout(REQUEST_MILLIS_MAX);
                    serve(client);
                } catch (IOException | NumberFormatException e) {
                    // The request broke off, or the test is over.
                }
            }
        }

        private void serve(Socket client) throws IOException {
            InputStream in = client.getInputStream();
            RawHttp.Message request = RawHttp.read(in);
            if (request == null || !request.whole()) {
                return;
            }
            client.getOutputStream().write(answer);
            client.shutdownOutput();
            byte[] more = in.readNBytes(100);
            if (more.length > 0) {
                behindARequest = request.first() + ": " + new String(more, StandardCharsets.ISO_8859_1);
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }
}
