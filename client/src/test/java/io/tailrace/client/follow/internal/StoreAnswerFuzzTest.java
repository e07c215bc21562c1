package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a web server or a bucket answers: the input's bytes, to each request of a redirected download, too. The first byte says whether their last
 * eight are repeated without an end, and whether the store is only looked at. No answer leads to another machine: every address becomes the
 * server's own.
 */
class StoreAnswerFuzzTest {
    private static final Duration DOWNLOAD_TIME_MAX = Duration.ofSeconds(2);
    private static final Duration SILENCE_MAX = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final int LOOK = 1;
    private static final int ENDLESS = 2;
    private static final int REPEATED_BYTES = 8;
    /** More than any input may cost, and soon sent. */
    private static final int ENDLESS_BYTES = 16 << 20;

    private static final byte[] CONTENT = "a segment".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    static Path folder;

    private static ServerSocket server;
    private static SegmentStore http;
    private static SegmentStore s3;
    private static volatile byte[] answer = {};
    private static volatile boolean endless;

    @BeforeAll
    static void serve() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        String root = "http://127.0.0.1:" + server.getLocalPort();
        System.setProperty("aws.endpointUrlS3", root);
        System.setProperty("aws.accessKeyId", "reader");
        System.setProperty("aws.secretAccessKey", "secret");
        System.setProperty("aws.maxAttempts", "1");
        http = SegmentStore.at(URI.create(root), DOWNLOAD_TIME_MAX, SILENCE_MAX);
        s3 = SegmentStore.at(URI.create("s3://bucket"), DOWNLOAD_TIME_MAX, SILENCE_MAX);
        start(StoreAnswerFuzzTest::accept);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        http.close();
        s3.close();
        Stream.of("aws.endpointUrlS3", "aws.accessKeyId", "aws.secretAccessKey", "aws.maxAttempts")
                .forEach(System::clearProperty);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "store");
        thread.setDaemon(true);
        thread.start();
    }

    private static void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                start(() -> answer(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void answer(Socket client) {
        try (client) {
            readHead(client.getInputStream());
            byte[] bytes = answer;
            client.getOutputStream().write(bytes);
            byte[] repeated = Arrays.copyOfRange(bytes, Math.max(0, bytes.length - REPEATED_BYTES), bytes.length);
            byte[] block = new byte[1 << 16];
            for (int i = 0; endless && repeated.length > 0 && i < block.length; i++) {
                block[i] = repeated[i % repeated.length];
            }
            for (int sent = 0; endless && repeated.length > 0 && sent < ENDLESS_BYTES; sent += block.length) {
                client.getOutputStream().write(block);
            }
        } catch (IOException gone) {
            // It has heard enough.
        }
    }

    private static void readHead(InputStream in) throws IOException {
        for (int ends = 0; ends < 4; ) {
            int next = in.read();
            if (next < 0) {
                return;
            }
            ends = next == (ends % 2 == 0 ? '\r' : '\n') ? ends + 1 : 0;
        }
    }

    static Stream<byte[]> seeds() {
        String error = "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Message>none</Message></Error>";
        return Stream.of(
                        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na segment",
                        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nETag: \"x\"\r\nx-amz-checksum-crc32: AAAAAA==\r\n\r\na segment",
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\na segment\r\n0\r\n\r\n",
                        "HTTP/1.0 200 OK\r\n\r\na segment",
                        "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\na segment",
                        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Encoding: gzip\r\n\r\na segment",
                        "HTTP/1.1 302 Found\r\nLocation: http://elsewhere/again\r\nContent-Length: 0\r\n\r\n",
                        "HTTP/1.1 307 Temporary Redirect\r\nLocation: ../x\r\nx-amz-bucket-region: there\r\n\r\n",
                        "HTTP/1.1 404 Not Found\r\nContent-Type: application/xml\r\nContent-Length: " + error.length()
                                + "\r\n\r\n" + error,
                        "HTTP/1.1 503 Slow Down\r\nRetry-After: 9999\r\n\r\n" + error,
                        "HTTP/1.1 503 Slow Down\r\n\r\n<e><a><a>",
                        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\n\r\n",
                        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Negotiate\r\n\r\n",
                        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-3/9\r\n\r\na se",
                        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n\0\0\0\4\0\0\0\0\0",
                        "HTTP/1.1 304 Not Modified\r\n\r\n",
                        "HTTP/1.0 000 OK\r\n\r\na segment",
                        "HTTP/1.1 200 OK\r\nX: ",
                        "HTTP/1.1 200 OK\r\nX: 1\r\n",
                        "")
                .flatMap(text ->
                        Stream.of(0, LOOK, ENDLESS, LOOK | ENDLESS).map(first -> (char) first.intValue() + text))
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @MethodSource("seeds")
    @FuzzTest
    void anAnswerIsASegmentOrAnIoException(byte[] input) throws Exception {
        if (input.length == 0) {
            return;
        }
        String own = "//127.0.0.1:" + server.getLocalPort();
        answer = new String(input, 1, input.length - 1, StandardCharsets.ISO_8859_1)
                .replaceAll("//[^/\\s]*", own)
                .getBytes(StandardCharsets.ISO_8859_1);
        endless = (input[0] & ENDLESS) != 0;
        for (SegmentStore store : new SegmentStore[] {http, s3}) {
            long begunAt = System.nanoTime();
            AllocationLimit.check(input.length, () -> {
                ask(store, (input[0] & LOOK) != 0);
                return null;
            });
            assertThat(Duration.ofNanos(System.nanoTime() - begunAt))
                    .as("%s", store)
                    .isLessThan(PATIENCE);
        }
    }

    private static void ask(SegmentStore store, boolean look) throws IOException {
        Path target = Files.write(folder.resolve("target"), new byte[0]);
        try {
            if (look) {
                store.look();
            } else {
                store.download("a/x.segment", CONTENT.length, target);
                assertThat(target).hasSize(CONTENT.length);
            }
        } catch (IOException refused) {
            assertThat(refused.getMessage()).isNotBlank().doesNotEndWith(": null");
        }
        assertThat(Files.size(target)).isLessThanOrEqualTo(CONTENT.length);
    }
}
