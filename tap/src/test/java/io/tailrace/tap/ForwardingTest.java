package io.tailrace.tap;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.tap.proxy.ProxyOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What passes, and what happens when one side fails. */
class ForwardingTest {
    private static final String CALL = "/v1/completions";
    private static final String ASKED = "{\"model\":\"small\",\"prompt\":\"a\"}";

    @Test
    void headersAndTargetsPass() throws Exception {
        try (FakeServer server = new FakeServer((request, client) -> {
                    FakeServer.head(
                            client,
                            "HTTP/1.1 207 Odd\r\nx-Odd-Case: Value, With  Spaces\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
                                    + "content-type: text/HTML;Charset=UTF-8\r\nContent-Length: 2\r\n\r\nhi");
                });
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            String target = "/v1/models/org%2Fname//x;y?q=a%20b|c&empty=&q=2";
            FakeServer.head(
                    client,
                    "GET %s HTTP/1.1\r\nHost: example.org\r\nauthorization: Bearer Key\r\nX-oDD: 1\r\naccept-encoding: zstd\r\n\r\n"
                            .formatted(target));
            RawHttp.Message answer = RawHttp.read(client.getInputStream());
            RawHttp.Message asked = server.requests.get(0);
            assertThat(asked.first()).isEqualTo("GET " + target + " HTTP/1.1");
            assertThat(asked.headers())
                    .containsExactlyInAnyOrder(
                            "Host: " + server.url().getAuthority(),
                            "Authorization: Bearer Key",
                            "X-oDD: 1",
                            "Accept-Encoding: zstd",
                            "Connection: close");
            assertThat(answer.status()).isEqualTo(207);
            assertThat(answer.headers())
                    .containsExactlyInAnyOrder(
                            "x-Odd-Case: Value, With  Spaces",
                            "Set-Cookie: a=1",
                            "Set-Cookie: b=2",
                            "Content-Type: text/HTML;Charset=UTF-8",
                            "Content-Length: 2");
            assertThat(answer.text()).isEqualTo("hi");
        }
    }

    @Test
    void isNoWayToAnywhereElse() throws Exception {
        try (FakeServer server = FakeServer.saying("text/plain", "a");
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            FakeServer.head(client, "CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n");
            assertThat(RawHttp.read(client.getInputStream()).status()).isEqualTo(405);
            assertThat(server.requests).isEmpty();
        }
    }

    /** Without its chunks the server would take a body for the next request. */
    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "GET", "OPTIONS", "QUERY", "HEAD"})
    void aBodyInChunksGoesInChunksWhateverTheMethod(String method) throws Exception {
        try (FakeServer server = FakeServer.saying("text/plain", "a");
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            FakeServer.head(
                    client,
                    "%s /v1/models HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
                            .formatted(method));
            assertThat(RawHttp.line(client.getInputStream())).startsWith("HTTP/1.1 200 ");
            assertThat(server.requests.get(0).text()).isEqualTo("hi");
        }
    }

    /** Its client would wait for another one that never comes. */
    @ParameterizedTest
    @ValueSource(ints = {101, 199})
    void anAnswerThatIsNoneIsABadGateway(int status) throws Exception {
        try (FakeServer server = new FakeServer(
                        (request, client) -> FakeServer.head(client, "HTTP/1.1 %d X\r\n\r\n".formatted(status)));
                TestTap tap = TestTap.before(server.url())) {
            assertThat(tap.post(CALL, ASKED).status()).isEqualTo(502);
        }
    }

    /** Also where it is no URI by the book. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/models",
                "//v1/models",
                "/v1//models/?",
                "/v1/../models",
                "/v1/%6dodels/?a=%&b=%ff",
                "/v1/models?q=?/x",
                "/;a/.;b/..%2f"
            })
    void aTargetGoesAsItWasWritten(String target) throws Exception {
        try (FakeServer server = FakeServer.saying("text/plain", "a");
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            FakeServer.head(client, "GET %s HTTP/1.1\r\nHost: h\r\n\r\n".formatted(target));
            assertThat(RawHttp.read(client.getInputStream()).text()).isEqualTo("a");
            assertThat(server.requests.get(0).first()).isEqualTo("GET " + target + " HTTP/1.1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\0\1\2\r\n\r\n",
                "GET\r\n\r\n",
                "CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET /../%zz HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET http:// HTTP/1.1\r\nHost: h\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
            })
    void junkEndsNothing(String junk) throws Exception {
        try (FakeServer server = FakeServer.saying("text/plain", "a");
                TestTap tap = TestTap.before(server.url())) {
            try (Socket client = tap.connect()) {
                FakeServer.head(client, junk);
                client.shutdownOutput();
                client.getInputStream().readAllBytes();
            }
            assertThat(tap.post(CALL, ASKED).text()).isEqualTo("a");
            TestTap.await().until(() -> tap.meter("tailrace_tap_requests_running{worker=\"tap\"}") == 0);
            TestTap.await().until(() -> tap.meter("tailrace_tap_kept_bytes{worker=\"tap\"}") == 0);
        }
    }

    /** Its client may ask again as soon as it has the head. */
    @ParameterizedTest
    @CsvSource({
        "GET, 204 None, X-End: 1",
        "GET, 304 Same, X-End: 1",
        "HEAD, 200 OK, Content-Length: 7",
        "HEAD, 200 OK, Transfer-Encoding: chunked"
    })
    void anAnswerWithoutABodyIsNoneThatIsWaitedFor(String method, String status, String header) throws Exception {
        try (FakeServer server = new FakeServer((request, client) ->
                        FakeServer.head(client, "HTTP/1.1 %s\r\n%s\r\n\r\n".formatted(status, header)));
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            for (int i = 0; i < 100; i++) {
                FakeServer.head(client, method + " /v1/models HTTP/1.1\r\nHost: h\r\n\r\n");
                readUntil(client.getInputStream(), "\r\n\r\n");
            }
            assertThat(server.requests).hasSize(100);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 422, 429, 500, 503})
    void errorsOfTheServerPass(int status) throws Exception {
        String words = "{\"error\":{\"message\":\"no\"}}";
        try (FakeServer server = new FakeServer((request, client) ->
                        FakeServer.whole(client, status, "application/json", words.getBytes(StandardCharsets.UTF_8)));
                TestTap tap = TestTap.before(server.url())) {
            RawHttp.Message answer = tap.post(CALL, ASKED);
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.text()).isEqualTo(words);
            TestTap.await().until(() -> tap.skipped("failed") == 1);
            assertThat(tap.ended(Integer.toString(status))).isEqualTo(1);
        }
    }

    /** The server goes on only when the client has had what came before. */
    @Test
    void headAndChunksLeaveAsTheyCome() throws Exception {
        CountDownLatch[] seen = {new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1)};
        byte[] text = "data: 1\n\ndata: 2\n\n".getBytes(StandardCharsets.UTF_8);
        try (FakeServer server = new FakeServer((request, client) -> {
                    FakeServer.chunkedHead(client, "text/event-stream");
                    assertThat(seen[0].await(60, TimeUnit.SECONDS)).isTrue();
                    FakeServer.chunk(client, text, 0, 5);
                    assertThat(seen[1].await(60, TimeUnit.SECONDS)).isTrue();
                    FakeServer.chunk(client, text, 5, text.length);
                    assertThat(seen[2].await(60, TimeUnit.SECONDS)).isTrue();
                    FakeServer.end(client);
                });
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            TestTap.send(client, CALL, ASKED.getBytes(StandardCharsets.UTF_8));
            InputStream in = client.getInputStream();
            readUntil(in, "\r\n\r\n");
            seen[0].countDown();
            readUntil(in, "5\r\ndata:");
            seen[1].countDown();
            readUntil(in, "data: 2\n\n");
            seen[2].countDown();
            readUntil(in, "0\r\n\r\n");
        }
    }

    /** What one side says of its connection to the tap goes no further. */
    @Test
    void whatBelongsToAConnectionStaysWithIt() throws Exception {
        try (FakeServer server = new FakeServer(
                        (request, client) -> FakeServer.head(
                                client,
                                "HTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nX-End: 1\r\nContent-Length: 2\r\n\r\nhi"));
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            for (int call = 0; call < 3; call++) {
                FakeServer.head(
                        client,
                        "GET /v1/models HTTP/1.1\r\nHost: h\r\nConnection: x-hop\r\nX-Hop: 1\r\nTE: trailers\r\nX-End: 1\r\n\r\n");
                RawHttp.Message answer = RawHttp.read(client.getInputStream());
                assertThat(answer.headers()).containsExactlyInAnyOrder("X-End: 1", "Content-Length: 2");
                assertThat(server.requests.get(call).headers())
                        .containsExactlyInAnyOrder(
                                "Host: " + server.url().getAuthority(), "X-End: 1", "Connection: close");
            }
        }
    }

    @Test
    void trailersOfAnAnswerPass() throws Exception {
        try (FakeServer server = new FakeServer((request, client) -> {
                    FakeServer.chunkedHead(client, "text/event-stream");
                    FakeServer.chunk(client, new byte[] {'d'}, 0, 1);
                    FakeServer.end(client, List.of("X-Sum: 7", "X-Time: 8"));
                });
                TestTap tap = TestTap.before(server.url())) {
            RawHttp.Message answer = tap.post(CALL, ASKED);
            assertThat(answer.text()).isEqualTo("d");
            assertThat(answer.trailers()).containsExactly("X-Sum: 7", "X-Time: 8");
        }
    }

    /** The end of an answer to a client of HTTP/1.0 is that of its connection. */
    @Test
    void aClientOfHttp10GetsNoChunks() throws Exception {
        try (FakeServer server = new FakeServer((request, client) -> {
                    FakeServer.chunkedHead(client, "text/event-stream");
                    FakeServer.chunk(client, new byte[] {'d'}, 0, 1);
                    FakeServer.end(client);
                });
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            FakeServer.head(client, "GET /v1/models HTTP/1.0\r\n\r\n");
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).endsWith("\r\n\r\nd").doesNotContain("chunked");
        }
    }

    /** Before it has the body, which a client may have been told to send. */
    @ParameterizedTest
    @ValueSource(strings = {"Expect: 100-continue\r\n", ""})
    void aServerMayRefuseARequestByItsHead(String expecting) throws Exception {
        try (ServerSocket refusing = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestTap tap = TestTap.before(URI.create("http://127.0.0.1:" + refusing.getLocalPort()));
                Socket client = tap.connect()) {
            FakeServer.head(
                    client,
                    "POST /v1/completions HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n%s\r\n"
                            .formatted(expecting));
            try (Socket asked = refusing.accept()) {
                readUntil(asked.getInputStream(), "\r\n\r\n");
                if (!expecting.isEmpty()) {
                    readUntil(client.getInputStream(), "HTTP/1.1 100 Continue\r\n\r\n");
                }
                FakeServer.whole(asked, 413, "text/plain", new byte[] {'n', 'o'});
                RawHttp.Message answer = RawHttp.read(client.getInputStream());
                assertThat(answer.status()).isEqualTo(413);
                assertThat(answer.text()).isEqualTo("no");
            }
            leave(client);
            // Which of them depends on whether the end of the connection is seen before the written answer is reported
            // back.
            TestTap.await().until(() -> tap.ended("413") + tap.ended("client_gone") == 1);
            TestTap.await().until(() -> tap.skipped("failed") == 1);
        }
    }

    @Test
    void aClientThatGoesWithinItsRequestEndsItUpstream() throws Exception {
        try (ServerSocket waiting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestTap tap = TestTap.before(URI.create("http://127.0.0.1:" + waiting.getLocalPort()))) {
            try (Socket client = tap.connect()) {
                FakeServer.head(client, "POST /v1/completions HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n{");
                try (Socket asked = waiting.accept()) {
                    readUntil(asked.getInputStream(), "\r\n\r\n{");
                    leave(client);
                    FakeServer.awaitEnd(asked);
                }
            }
            TestTap.await().until(() -> tap.ended("client_gone") == 1);
            TestTap.await().until(() -> tap.meter("tailrace_tap_kept_bytes{worker=\"tap\"}") == 0);
        }
    }

    @Test
    void aServerThatCannotBeReachedIsABadGateway() throws Exception {
        try (Socket held = TestTap.heldPort();
                TestTap tap = TestTap.before(URI.create("http://127.0.0.1:" + held.getLocalPort()))) {
            RawHttp.Message answer = tap.post(CALL, ASKED);
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).contains("\"code\":\"upstream_unreachable\"");
            TestTap.await().until(() -> tap.skipped("failed") == 1);
            assertThat(tap.ended("502")).isEqualTo(1);
        }
    }

    @Test
    void aServerThatSaysNothingForTooLongIsAGatewayTimeout() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (FakeServer server = new FakeServer((request, client) -> over.await());
                TestTap tap = limited(server, ProxyOptions.KEPT_BYTES_MAX, Duration.ofMillis(300))) {
            RawHttp.Message answer = tap.post(CALL, ASKED);
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.text()).contains("\"code\":\"upstream_timeout\"");
            over.countDown();
        }
    }

    /** Whoever reads half an answer must see that it is half. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatBreaksOffBreaksOff(boolean chunked) throws Exception {
        byte[] text = "data: {\"id\":\"x\"}\n\n".getBytes(StandardCharsets.UTF_8);
        try (FakeServer server = new FakeServer((request, client) -> {
                    if (chunked) {
                        FakeServer.chunkedHead(client, "text/event-stream");
                        FakeServer.chunk(client, text, 0, text.length);
                    } else {
                        FakeServer.head(client, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                    }
                });
                TestTap tap = TestTap.before(server.url())) {
            RawHttp.Message answer = tap.post(CALL, ASKED);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.whole()).isFalse();
            TestTap.await().until(() -> tap.skipped("aborted") == 1);
            assertThat(tap.ended("broken_off")).isEqualTo(1);
            assertThat(tap.reports.generations).isEmpty();
        }
    }

    /** The engine must not go on computing for nobody, whether or not it has begun to answer. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientThatGoesEndsItsRequestUpstream(boolean begun) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (FakeServer server = new FakeServer((request, client) -> {
                    if (begun) {
                        FakeServer.chunkedHead(client, "text/event-stream");
                        FakeServer.chunk(client, new byte[] {'d'}, 0, 1);
                    }
                    asked.countDown();
                    if (endOfInput(client)) {
                        ended.countDown();
                    }
                });
                TestTap tap = TestTap.before(server.url())) {
            try (Socket client = tap.connect()) {
                TestTap.send(client, CALL, ASKED.getBytes(StandardCharsets.UTF_8));
                assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
                if (begun) {
                    readUntil(client.getInputStream(), "1\r\nd");
                }
            }
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
            TestTap.await().until(() -> tap.ended("client_gone") == 1);
            TestTap.await().until(() -> tap.skipped("aborted") == 1);
            TestTap.await().until(() -> tap.meter("tailrace_tap_kept_bytes{worker=\"tap\"}") == 0);
            TestTap.await().until(() -> tap.meter("tailrace_tap_requests_running{worker=\"tap\"}") == 0);
        }
    }

    @Test
    void hugeBodiesPassAndAreNotPublished() throws Exception {
        byte[] huge = new byte[24 << 20];
        new Random(5).nextBytes(huge);
        try (FakeServer server = new FakeServer((request, client) -> {
                    assertThat(request.body()).isEqualTo(huge);
                    FakeServer.whole(client, 200, "application/json", huge);
                });
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            Thread sender = new Thread(() -> {
                try {
                    TestTap.send(client, CALL, huge);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            sender.start();
            RawHttp.Message answer = RawHttp.read(client.getInputStream());
            sender.join();
            assertThat(answer.body()).isEqualTo(huge);
            TestTap.await().until(() -> tap.skipped("too_large") == 1);
            TestTap.await().until(() -> tap.meter("tailrace_tap_kept_bytes{worker=\"tap\"}") == 0);
        }
    }

    /** A client that does not read holds its own server back, and costs the tap no memory. */
    @Test
    void aSlowClientHoldsItsServerBack() throws Exception {
        AtomicLong sent = new AtomicLong();
        byte[] piece = new byte[64 << 10];
        int pieces = 2_000;
        try (FakeServer server = new FakeServer((request, client) -> {
                    FakeServer.chunkedHead(client, "text/event-stream");
                    for (int i = 0; i < pieces; i++) {
                        FakeServer.chunk(client, piece, 0, piece.length);
                        sent.addAndGet(piece.length);
                    }
                    FakeServer.end(client);
                });
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            TestTap.send(client, CALL, ASKED.getBytes(StandardCharsets.UTF_8));
            AtomicLong before = new AtomicLong(-1);
            TestTap.await()
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> sent.get() > 0 && sent.get() == before.getAndSet(sent.get()));
            assertThat(sent.get()).isLessThan((long) pieces * piece.length / 2);
            assertThat(RawHttp.read(client.getInputStream()).body()).hasSize(pieces * piece.length);
        }
    }

    @Test
    void whatFindsNoRoomIsForwardedAndNotPublished() throws Exception {
        try (FakeServer server = FakeServer.saying("application/json", "{\"choices\":[]}".repeat(100));
                TestTap tap = limited(server, 1_100, ProxyOptions.IDLE_TIME_MAX)) {
            assertThat(tap.post(CALL, ASKED).text()).isEqualTo("{\"choices\":[]}".repeat(100));
            TestTap.await().until(() -> tap.skipped("no_room") == 1);
        }
    }

    /** As curl sends what is large. Many servers never say it. */
    @ParameterizedTest
    @CsvSource({"100-continue, false", "100-Continue, true", "'100-continue, 100-continue', false"})
    void aClientThatWaitsToBeToldToContinueIsTold(String expecting, boolean serverSays) throws Exception {
        try (ServerSocket waiting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestTap tap = TestTap.before(URI.create("http://127.0.0.1:" + waiting.getLocalPort()));
                Socket client = tap.connect()) {
            FakeServer.head(
                    client,
                    "POST /v1/completions HTTP/1.1\r\nHost: h\r\nExpect: %s\r\nContent-Length: 2\r\n\r\n"
                            .formatted(expecting));
            try (Socket asked = waiting.accept()) {
                readUntil(client.getInputStream(), "HTTP/1.1 100 Continue\r\n\r\n");
                FakeServer.head(client, "{}");
                readUntil(asked.getInputStream(), "\r\n\r\n{}");
                if (serverSays) {
                    FakeServer.head(asked, "HTTP/1.1 100 Continue\r\n\r\n");
                }
                FakeServer.chunkedHead(asked, "text/event-stream");
                FakeServer.chunk(asked, new byte[] {'d'}, 0, 1);
                readUntil(client.getInputStream(), "1\r\nd");
                FakeServer.end(asked);
                readUntil(client.getInputStream(), "0\r\n\r\n");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "gzip\r\nTransfer-Encoding: chunked", "Chunked, gzip", "gzip"})
    void aBodyThatIsPackedForItsWayIsRefused(String coding) throws Exception {
        try (FakeServer server = FakeServer.saying("text/plain", "a");
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            FakeServer.head(
                    client,
                    "POST /v1/completions HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: %s\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
                            .formatted(coding));
            assertThat(RawHttp.read(client.getInputStream()).status()).isIn(400, 501);
            assertThat(server.requests).isEmpty();
        }
    }

    @Test
    void anAnswerThatIsPackedForItsWayIsABadGateway() throws Exception {
        try (FakeServer server = new FakeServer((request, client) -> {
                    FakeServer.head(client, "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n");
                    FakeServer.chunk(client, new byte[] {'d'}, 0, 1);
                    FakeServer.end(client);
                });
                TestTap tap = TestTap.before(server.url())) {
            assertThat(tap.post(CALL, ASKED).status()).isEqualTo(502);
        }
    }

    /** What comes too early may be lost with its connection, and is never taken for the end of its client. */
    @Test
    void aNextRequestThatComesTooEarlyLeavesTheFirstItsAnswer() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (FakeServer server = new FakeServer((request, client) -> {
                    asked.countDown();
                    assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
                    FakeServer.whole(client, 200, "application/json", new byte[] {'a'});
                });
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            TestTap.send(client, CALL, ASKED.getBytes(StandardCharsets.UTF_8));
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            TestTap.send(client, CALL, ASKED.getBytes(StandardCharsets.UTF_8));
            goOn.countDown();
            assertThat(RawHttp.read(client.getInputStream()).text()).isEqualTo("a");
        }
    }

    /** Some send an end of line behind their bodies, and some the next request. */
    @ParameterizedTest
    @ValueSource(ints = {2, 10_000})
    void aClientThatGoesIsSeenAlsoBehindWhatItSentTooEarly(int bytes) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (FakeServer server = new FakeServer((request, client) -> {
                    asked.countDown();
                    if (endOfInput(client)) {
                        ended.countDown();
                    }
                });
                TestTap tap = TestTap.before(server.url())) {
            try (Socket client = tap.connect()) {
                TestTap.send(client, CALL, ASKED.getBytes(StandardCharsets.UTF_8));
                assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
                FakeServer.head(client, "\n".repeat(bytes));
            }
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
            TestTap.await().until(() -> tap.ended("client_gone") == 1);
        }
    }

    @Test
    void whatIsOnItsWayEndsBeforeATapDoes() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (FakeServer server = new FakeServer((request, client) -> {
                    asked.countDown();
                    assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
                    FakeServer.whole(client, 200, "application/json", new byte[] {'a'});
                });
                TestTap tap = TestTap.before(server.url());
                Socket client = tap.connect()) {
            TestTap.send(client, CALL, ASKED.getBytes(StandardCharsets.UTF_8));
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(tap.operators("/health/ready").statusCode()).isEqualTo(200);
            assertThat(tap.operators("/").body())
                    .contains(
                            "forwards to " + server.url() + ", requests on their way: 1",
                            "publishes, answers that wait: 0");
            Thread closing = new Thread(tap::close);
            closing.start();
            TestTap.await().until(() -> refuses(tap));
            assertThat(tap.operators("/health/ready").statusCode()).isEqualTo(503);
            assertThat(tap.operators("/health/live").statusCode()).isEqualTo(200);
            goOn.countDown();
            assertThat(RawHttp.read(client.getInputStream()).text()).isEqualTo("a");
            closing.join();
        }
    }

    private static TestTap limited(FakeServer server, long keptBytesMax, Duration idleTimeMax) throws IOException {
        ProxyOptions options = new ProxyOptions(
                "127.0.0.1",
                0,
                server.url(),
                TestTap.CHAT_SCOPE,
                keptBytesMax,
                ProxyOptions.REQUESTS_MAX,
                ProxyOptions.BODY_PAUSE_MAX,
                idleTimeMax,
                ProxyOptions.DRAIN_TIME_MAX);
        return TestTap.before(options, Optional.empty(), new KeptReports());
    }

    private static void leave(Socket client) throws IOException {
        client.close();
    }

    private static boolean refuses(TestTap tap) {
        try (Socket another = tap.connect()) {
            return another.isClosed();
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean endOfInput(Socket client) {
        try {
            return client.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    private static void readUntil(InputStream in, String end) throws IOException {
        StringBuilder all = new StringBuilder();
        while (all.indexOf(end) < 0) {
            int next = in.read();
            assertThat(next).as("after " + all).isNotNegative();
            all.append((char) next);
        }
    }
}
