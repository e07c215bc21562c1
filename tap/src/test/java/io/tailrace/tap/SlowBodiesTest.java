package io.tailrace.tap;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.tap.proxy.ProxyOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send their bodies slowly, or not to their ends: others do not notice. */
class SlowBodiesTest {
    private static final String BODY = "{\"model\":\"small\",\"prompt\":\"a\"}";
    private static final String HEAD = "POST /v1/completions HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n";
    private static final int CONNECTIONS = 1_000;
    private static final int REQUESTS_MAX = 200;
    /** Longer than any test. */
    private static final Duration LONG = Duration.ofHours(1);

    private final List<Socket> slow = new ArrayList<>();

    @AfterEach
    void leave() throws IOException {
        for (Socket socket : slow) {
            socket.close();
        }
    }

    @Test
    void aThousandSlowBodiesHoldUpNobody() throws Exception {
        try (FakeServer server = FakeServer.saying("text/plain", "a");
                TestTap tap = limited(server.url(), ProxyOptions.KEPT_BYTES_MAX, LONG)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                send(tap, HEAD.formatted(10) + "{");
            }
            // Those that were given up keep their places until they are told.
            TestTap.await().until(() -> get(tap).text().equals("a"));
            for (int i = 0; i < 20; i++) {
                assertThat(get(tap).text()).isEqualTo("a");
                assertThat(tap.post("/v1/completions", BODY).text()).isEqualTo("a");
            }
            RawHttp.Message crowded = RawHttp.read(slow.get(0).getInputStream());
            assertThat(crowded.status()).isEqualTo(429);
            assertThat(crowded.text()).contains("\"code\":\"too_many_requests\"");
            assertThat(crowded.headers()).contains("Retry-After: 1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 10\r\n\r\n{",
                "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
            })
    void aBodyThatDoesNotComeIsNotWaitedFor(String begun) throws Exception {
        try (ServerSocket waiting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestTap tap = limited(
                        URI.create("http://127.0.0.1:" + waiting.getLocalPort()),
                        ProxyOptions.KEPT_BYTES_MAX,
                        Duration.ofMillis(200))) {
            Socket client = send(tap, "POST /v1/completions HTTP/1.1\r\nHost: h\r\n" + begun);
            try (Socket asked = waiting.accept()) {
                RawHttp.Message answer = RawHttp.read(client.getInputStream());
                if (answer.status() == 100) {
                    answer = RawHttp.read(client.getInputStream());
                }
                assertThat(answer.status()).isEqualTo(408);
                assertThat(answer.text()).contains("\"code\":\"request_timeout\"");
                assertThat(client.getInputStream().read()).as("the connection").isNegative();
                asked.getInputStream().readAllBytes();
            }
            TestTap.await().until(() -> tap.ended("408") == 1);
            TestTap.await().until(() -> tap.meter("tailrace_tap_kept_bytes{worker=\"tap\"}") == 0);
        }
    }

    /** Each byte comes in time. */
    @Test
    void aBodyThatTricklesIsNotWaitedForWithoutEnd() throws Exception {
        try (FakeServer server = FakeServer.saying("text/plain", "a");
                TestTap tap = limited(server.url(), ProxyOptions.KEPT_BYTES_MAX, Duration.ofMillis(200))) {
            Socket client = send(tap, HEAD.formatted(1_000_000) + "{");
            client.setSoTimeout(20);
            StringBuilder answer = new StringBuilder();
            while (answer.length() < 12) {
                if (answer.isEmpty()
                        && client.getInputStream().available()
                                == 0) { // what comes after the answer resets the connection
                    client.getOutputStream().write('a');
                }
                try {
                    answer.append((char) client.getInputStream().read());
                } catch (SocketTimeoutException e) {
                    // Not yet.
                }
            }
            assertThat(answer.toString()).isEqualTo("HTTP/1.1 408");
        }
    }

    /** The client is not to blame for a server that takes no more. */
    @Test
    void aBodyThatTheServerDoesNotTakeIsItsOwnAffair() throws Exception {
        byte[] huge = new byte[32 << 20];
        CountDownLatch sent = new CountDownLatch(1);
        try (ServerSocket waiting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestTap tap = limited(
                        URI.create("http://127.0.0.1:" + waiting.getLocalPort()),
                        ProxyOptions.KEPT_BYTES_MAX,
                        Duration.ofMillis(100));
                Socket client = tap.connect()) {
            Thread sender = new Thread(() -> {
                try {
                    TestTap.send(client, "/v1/completions", huge);
                    sent.countDown();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            sender.start();
            try (Socket asked = waiting.accept()) {
                TestTap.await().during(Duration.ofMillis(1_200)).until(() -> sent.getCount() == 1);
                assertThat(RawHttp.read(asked.getInputStream()).body()).hasSize(huge.length);
                FakeServer.whole(asked, 200, "text/plain", new byte[] {'a'});
                assertThat(RawHttp.read(client.getInputStream()).text()).isEqualTo("a");
            }
            sender.join();
        }
    }

    @Test
    void moreRequestsThanMayBeOnTheirWayAreRefusedAtOnce() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (FakeServer server = new FakeServer((request, client) -> {
                    over.await();
                    FakeServer.whole(client, 200, "text/plain", new byte[] {'a'});
                });
                TestTap tap = limited(server.url(), ProxyOptions.KEPT_BYTES_MAX, LONG)) {
            for (int i = 0; i < REQUESTS_MAX; i++) {
                send(tap, "GET /v1/models HTTP/1.1\r\nHost: h\r\n\r\n");
            }
            TestTap.await().until(() -> server.requests.size() == REQUESTS_MAX);
            RawHttp.Message refused = get(tap);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text()).contains("\"code\":\"upstream_busy\"");
            over.countDown();
            for (Socket socket : slow) {
                assertThat(RawHttp.read(socket.getInputStream()).text()).isEqualTo("a");
            }
            TestTap.await().until(() -> get(tap).text().equals("a"));
        }
    }

    /** They would keep everybody's answers from being published. */
    @Test
    void unfinishedBodiesGiveWayToThoseThatAreWhole() throws Exception {
        try (FakeServer server = FakeServer.saying("application/json", "{\"choices\":[]}");
                TestTap tap = limited(server.url(), 1 << 20, LONG)) {
            String junk = "x".repeat((128 << 10) + 1);
            // One after the other: those that arrive at once may each be dropped for the next.
            TestTap.await().until(() -> {
                send(tap, HEAD.formatted(1 << 20) + junk);
                return tap.meter("tailrace_tap_kept_bytes{worker=\"tap\"}") > 800 << 10;
            });
            for (int i = 0; i < 50; i++) {
                assertThat(tap.post("/v1/completions", BODY).status()).isEqualTo(200);
            }
            TestTap.await().until(() -> tap.skipped("unreadable") + tap.skipped("no_room") == 50);
            assertThat(tap.skipped("no_room")).isZero();
        }
    }

    private static TestTap limited(URI server, long keptBytesMax, Duration bodyPauseMax) throws IOException {
        ProxyOptions options = new ProxyOptions(
                "127.0.0.1",
                0,
                server,
                TestTap.CHAT_SCOPE,
                keptBytesMax,
                REQUESTS_MAX,
                bodyPauseMax,
                ProxyOptions.IDLE_TIME_MAX,
                Duration.ofSeconds(1));
        return TestTap.before(options, Optional.empty(), new KeptReports());
    }

    private Socket send(TestTap tap, String bytes) throws IOException {
        Socket socket = tap.connect();
        slow.add(socket);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static RawHttp.Message get(TestTap tap) throws IOException {
        try (Socket socket = tap.connect()) {
            FakeServer.head(socket, "GET /v1/models HTTP/1.1\r\nHost: h\r\n\r\n");
            return RawHttp.read(socket.getInputStream());
        }
    }
}
