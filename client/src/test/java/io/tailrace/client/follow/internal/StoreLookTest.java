package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreLookTest {
    private static final Duration SHORT = Duration.ofMillis(500);

    @TempDir
    private Path folder;

    private HttpServer server;
    private volatile int status = 200;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        System.setProperty("aws.accessKeyId", "reader");
        System.setProperty("aws.secretAccessKey", "secret");
        bucketsAt("127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        server.stop(0);
        Stream.of("aws.endpointUrlS3", "aws.accessKeyId", "aws.secretAccessKey").forEach(System::clearProperty);
    }

    private static void bucketsAt(String address) {
        System.setProperty("aws.endpointUrlS3", "http://" + address);
    }

    private static URI web(String address) {
        return URI.create("http://" + address + "/segments");
    }

    @Test
    void aFolderAWebServerAndABucketThatAreThereAnswer() {
        assertThat(StoreLook.unreachable(folder.toUri())).isEmpty();
        assertThat(StoreLook.unreachable(URI.create(folder.toString()))).isEmpty();
        assertThat(StoreLook.unreachable(web("127.0.0.1:" + server.getAddress().getPort())))
                .isEmpty();
        assertThat(StoreLook.unreachable(URI.create("s3://bucket/prefix"))).isEmpty();
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        URI missing = folder.resolve("none").toUri();
        assertThat(StoreLook.unreachable(missing))
                .hasValueSatisfying(why -> assertThat(why).contains(missing.toString(), "mounted"));
    }

    @Test
    void aWebServerAnswersWhateverItSaysOfItsRoot() {
        status = 403;
        assertThat(StoreLook.unreachable(web("127.0.0.1:" + server.getAddress().getPort())))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"403,s3:GetObject", "404,no such bucket", "301,AWS_REGION"})
    void aBucketThatCannotBeReadSaysWhatToDo(int answered, String advice) {
        status = answered;
        assertThat(StoreLook.unreachable(URI.create("s3://bucket/")))
                .hasValueSatisfying(why -> assertThat(why).contains("s3://bucket/", "" + answered, advice));
    }

    @Test
    void whoListensAndNeverAnswersIsGivenUp() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            bucketsAt(address);
            assertThat(StoreLook.unreachable(web(address), SHORT))
                    .hasValueSatisfying(why -> assertThat(why).contains(address));
            assertThat(StoreLook.unreachable(URI.create("s3://bucket/"), SHORT))
                    .hasValueSatisfying(why -> assertThat(why).contains("s3://bucket/", "in time"));
        }
    }

    @Test
    void whereNobodyListensIsNamed() {
        bucketsAt("127.0.0.1:1");
        assertThat(StoreLook.unreachable(web("127.0.0.1:1")))
                .hasValueSatisfying(why -> assertThat(why).contains("127.0.0.1:1"));
        assertThat(StoreLook.unreachable(URI.create("s3://bucket/")))
                .hasValueSatisfying(why -> assertThat(why).contains("s3://bucket/"));
    }
}
