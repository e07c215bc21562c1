package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.tailrace.testkit.AllocationLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a bucket's answers come to. The server here checks no signature: one that does is in the tests of the whole loop. */
class S3StoreTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(300);

    @TempDir
    Path folder;

    private final byte[] content = new byte[300_000];
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<HttpExchange> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private HttpHandler answer = this::whole;
    private Path target;

    @BeforeEach
    void serve() throws IOException {
        new Random(1).nextBytes(content);
        target = folder.resolve("target");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange);
            answer.handle(exchange);
        });
        server.setExecutor(command -> {
            Thread thread = new Thread(command);
            thread.setDaemon(true);
            thread.start();
        });
        server.start();
        System.setProperty(
                "aws.endpointUrlS3", "http://127.0.0.1:" + server.getAddress().getPort());
        System.setProperty("aws.accessKeyId", "reader");
        System.setProperty("aws.secretAccessKey", "secret");
    }

    @AfterEach
    void stop() {
        released.countDown();
        server.stop(0);
        Stream.of("aws.endpointUrlS3", "aws.accessKeyId", "aws.secretAccessKey").forEach(System::clearProperty);
    }

    private void whole(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
        }
    }

    private void stall(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content, 0, 1_000);
        exchange.getResponseBody().flush();
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.close();
    }

    private void trickle(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, content.length);
        try (exchange) {
            for (int i = 0; released.getCount() > 0; i++) {
                exchange.getResponseBody().write(content, i, 1);
                exchange.getResponseBody().flush();
                Thread.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static S3Store store(String root) {
        return new S3Store(URI.create(root), LONG, LONG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://bucket", "s3://bucket/", "s3://bucket/some/prefix", "s3://bucket/some/prefix/"})
    void anObjectIsAskedForByItsNameInTheBucketWithASignature(String root) throws IOException {
        String path = "segments/org%2Fllama+3@1/a b/x.segment";
        try (SegmentStore store = store(root)) {
            store.download(path, content.length, target);
        }
        assertThat(target).hasBinaryContent(content);
        String prefix = root.contains("prefix") ? "/bucket/some/prefix/" : "/bucket/";
        HttpExchange request = asked.get(0);
        assertThat(request.getRequestURI().getPath()).isEqualTo(prefix + path);
        assertThat(request.getRequestHeaders().getFirst("Authorization"))
                .startsWith("AWS4-HMAC-SHA256 Credential=reader/")
                .contains("/us-east-1/s3/");
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void whatTheStoreRefusesIsNamed(int status) {
        answer = exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(status, -1);
            }
        };
        try (SegmentStore store = store("s3://bucket")) {
            assertThatThrownBy(() -> store.download("a/x.bin", 1, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("s3://bucket/a/x.bin: the store answered " + status);
        }
    }

    @Test
    void aRefusalWithoutAnEndCostsNoMemory() {
        answer = exchange -> {
            exchange.sendResponseHeaders(500, 0);
            try (exchange) {
                for (int i = 0; i < 100; i++) {
                    exchange.getResponseBody().write(content);
                }
            }
        };
        try (SegmentStore store = new S3Store(URI.create("s3://bucket"), LONG, LONG)) {
            assertThatThrownBy(() -> AllocationLimit.check(4 << 10, () -> {
                        store.download("a/x.bin", 1, target);
                        return null;
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the store answered 500");
        }
    }

    @Test
    void anObjectThatIsLongerThanAnnouncedIsNotTaken() throws IOException {
        try (SegmentStore store = store("s3://bucket")) {
            assertThatThrownBy(() -> store.download("a/x.bin", 100_000, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("longer than the 100000 bytes");
        }
        assertThat(Files.size(target)).isLessThanOrEqualTo(100_000);
    }

    @Test
    void anObjectThatIsShorterThanAnnouncedIsRefused() {
        try (SegmentStore store = store("s3://bucket")) {
            assertThatThrownBy(() -> store.download("a/x.bin", 300_001, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has 300000 bytes, its manifest says 300001");
        }
    }

    @Test
    void anAnswerThatIsNoHttpIsRefused() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> answerEach(socket, "HTTP/1.0 000 OK\r\n\r\n"));
            answering.setDaemon(true);
            answering.start();
            System.setProperty("aws.endpointUrlS3", "http://127.0.0.1:" + socket.getLocalPort());
            try (SegmentStore store = store("s3://bucket")) {
                assertThatThrownBy(() -> store.download("a/x.bin", 1, target))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("s3://bucket/a/x.bin cannot be downloaded: Status code");
                assertThatThrownBy(store::look).isInstanceOf(IOException.class).hasMessageContaining("Status code");
            }
        }
    }

    private static void answerEach(ServerSocket socket, String text) {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                client.setSoTimeout(1_000);
                byte[] head = new byte[4_096];
                if (client.getInputStream().read(head) > 0) {
                    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException e) {
                // The client has gone, or the test is over.
            }
        }
    }

    /** A read of a socket is not interrupted. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aStoreThatStallsIsGivenUp() {
        answer = this::stall;
        try (SegmentStore store = new S3Store(URI.create("s3://bucket"), LONG, SHORT)) {
            assertThatThrownBy(() -> store.download("a/x.bin", content.length, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("s3://bucket/a/x.bin cannot be downloaded");
        }
    }

    @RepeatedTest(10)
    void anObjectThatIsNotDoneInTimeIsGivenUp() {
        answer = this::trickle;
        try (SegmentStore store = new S3Store(URI.create("s3://bucket"), SHORT, LONG)) {
            assertThatThrownBy(() -> store.download("a/x.bin", content.length, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("s3://bucket/a/x.bin was not downloaded in time");
        }
    }

    @Test
    void aPathThatLeavesTheBucketIsRefused() {
        try (SegmentStore store = store("s3://bucket/prefix")) {
            assertThatThrownBy(() -> store.download("../x", 1, target)).hasMessageContaining("must be relative");
        }
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3:/no-bucket", "s3://bucket/?versionId=1", "s3://user:word@bucket/", "s3://bucket:9000/"})
    void whatNamesNoBucketIsRefused(String root) {
        assertThatThrownBy(() -> store(root)).hasMessageContaining("a bucket is named as in s3://bucket/prefix/");
    }
}
