package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentStoreTest {
    @TempDir
    Path folder;

    private final byte[] content = new byte[300_000];
    private final CountDownLatch released = new CountDownLatch(1);
    private HttpServer server;
    private URI web;
    private Path target;

    @BeforeEach
    void serve() throws IOException {
        new Random(1).nextBytes(content);
        target = folder.resolve("target");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/bucket/a/good.bin", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (exchange) {
                exchange.getResponseBody().write(content);
            }
        });
        server.createContext("/bucket/a/stalls.bin", exchange -> {
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content, 0, 1_000);
            exchange.getResponseBody().flush();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.setExecutor(command -> {
            Thread thread = new Thread(command);
            thread.setDaemon(true);
            thread.start();
        });
        server.start();
        web = URI.create("http://%s:%d/bucket"
                .formatted(
                        InetAddress.getLoopbackAddress().getHostAddress(),
                        server.getAddress().getPort()));
    }

    @AfterEach
    void stop() {
        released.countDown();
        server.stop(0);
    }

    @Test
    void webServerGivesTheFile() throws IOException {
        try (SegmentStore store = SegmentStore.at(web)) {
            store.download("a/good.bin", content.length, target);
        }
        assertThat(target).hasBinaryContent(content);
    }

    /** The job's object store holds the name as it is; a URI that only carried it along would ask for org/llama. */
    @Test
    void encodedLaneIsAskedForByItsNameInTheStore() throws IOException {
        List<String> asked = new CopyOnWriteArrayList<>();
        server.createContext("/bucket/segments", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(200, content.length);
            try (exchange) {
                exchange.getResponseBody().write(content);
            }
        });
        try (SegmentStore store = SegmentStore.at(web)) {
            store.download("segments/org%2Fllama+3@1/a%20b/x.segment", content.length, target);
        }
        assertThat(asked).containsExactly("/bucket/segments/org%2Fllama+3@1/a%20b/x.segment");
    }

    @Test
    void fileThatIsNotThereIsNamed() {
        try (SegmentStore store = SegmentStore.at(web)) {
            assertThatThrownBy(() -> store.download("a/missing.bin", 1, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a/missing.bin answered 404");
        }
    }

    @Test
    void bodyThatIsLongerThanAnnouncedIsNotTaken() throws IOException {
        try (SegmentStore store = SegmentStore.at(web)) {
            assertThatThrownBy(() -> store.download("a/good.bin", 100_000, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("longer than the 100000 bytes");
        }
        assertThat(Files.size(target)).isLessThanOrEqualTo(100_000);
    }

    @Test
    void bodyThatIsShorterThanAnnouncedIsRefused() {
        try (SegmentStore store = SegmentStore.at(web)) {
            assertThatThrownBy(() -> store.download("a/good.bin", 300_001, target))
                    .hasMessageContaining("has 300000 bytes, its manifest says 300001");
        }
    }

    @Test
    void bodyThatStallsIsGivenUp() {
        try (SegmentStore store = new HttpStore(web, Duration.ofMinutes(5), Duration.ofMillis(300))) {
            assertThatThrownBy(() -> store.download("a/stalls.bin", content.length, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("sent nothing for PT0.3S");
        }
    }

    /** Other files wait meanwhile. */
    @Test
    void silenceIsBorneForSecondsAndNotForAsLongAsADownload() {
        assertThat(SegmentStore.SILENCE_MAX).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(15));
        assertThat(SegmentStore.DOWNLOAD_TIME_MAX).isGreaterThan(SegmentStore.SILENCE_MAX.multipliedBy(10));
    }

    @Test
    void bodyThatIsNotDoneInTimeIsGivenUp() {
        try (SegmentStore store = new HttpStore(web, Duration.ofMillis(300), Duration.ofMinutes(5))) {
            assertThatThrownBy(() -> store.download("a/stalls.bin", content.length, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("was not downloaded within PT0.3S");
        }
    }

    @Test
    void serverThatIsDownIsAnError() {
        server.stop(0);
        try (SegmentStore store = SegmentStore.at(web)) {
            assertThatThrownBy(() -> store.download("a/good.bin", content.length, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be downloaded")
                    .hasMessageNotContaining("null");
        }
    }

    @Test
    void directoryGivesTheFileByUriAndByPlainPath() throws IOException {
        Path root = Files.createDirectories(folder.resolve("with space"));
        Files.write(root.resolve("x.bin"), content);
        SegmentStore.at(root.toUri()).download("x.bin", content.length, target);
        assertThat(target).hasBinaryContent(content);
        SegmentStore.at(URI.create(root.toString().replace(" ", "%20"))).download("x.bin", content.length, target);
        assertThatThrownBy(() -> SegmentStore.at(root.toUri()).download("x.bin", 5, target))
                .hasMessageContaining("x.bin is longer than the 5 bytes its manifest says");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/etc/passwd", "../x", "a/../../x", "a//b", "http://elsewhere/x", "a\\b", "./x"})
    void pathThatLeavesTheRootIsRefused(String path) {
        for (URI root : new URI[] {folder.toUri(), web}) {
            try (SegmentStore store = SegmentStore.at(root)) {
                assertThatThrownBy(() -> store.download(path, 1, target))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("must be relative");
            }
        }
    }

    @Test
    void unknownSchemeIsRefusedWithAWayOut() {
        assertThatThrownBy(() -> SegmentStore.at(URI.create("ftp://host")))
                .hasMessageContaining("file:, s3:, http: or https:, got ftp://host");
    }
}
