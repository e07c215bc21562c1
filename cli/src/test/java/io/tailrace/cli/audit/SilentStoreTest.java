package io.tailrace.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.cli.Tailrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bucket's endpoint that does not answer is named before anything else is asked of it. */
class SilentStoreTest {
    @BeforeEach
    void anybody() {
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test");
    }

    @AfterEach
    void forget() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        System.clearProperty("aws.endpointUrlS3");
    }

    @Test
    void aStoreThatListensAndNeverAnswersIsNamed() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            requireNamed("http://127.0.0.1:" + silent.getLocalPort());
        }
    }

    /** The Flink in the job's process has no plug-in for buckets: nothing is asked, so nothing is waited for. */
    @Test
    void aJobRefusesABucketWithoutAskingIt(@TempDir Path folder) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            silent.setSoTimeout(1);
            String address = "127.0.0.1:" + silent.getLocalPort();
            System.setProperty("aws.endpointUrlS3", "http://" + address);
            StringWriter said = new StringWriter();
            assertThat(Tailrace.commandLine()
                            .setErr(new PrintWriter(said, true))
                            .execute(
                                    "job",
                                    "--bootstrap=" + address,
                                    "--store=s3://segments/",
                                    "--model=m@1,vocabulary=9,tokenizer=t",
                                    "--folder=" + folder,
                                    "--port=0"))
                    .isEqualTo(2);
            assertThat(said.toString()).contains("--store s3://segments/", "file:///");
            assertThatThrownBy(silent::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void aStoreThatIsNotThereIsNamed() {
        requireNamed("http://127.0.0.1:1");
        requireNamed("http://no.such.host.invalid:9000");
    }

    private static void requireNamed(String endpoint) {
        System.setProperty("aws.endpointUrlS3", endpoint);
        try (S3Files store = new S3Files(URI.create("s3://segments/"))) {
            assertThat(store).hasToString("s3://segments/");
            assertThatThrownBy(store::requireReachable)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("s3://segments/: the store at " + endpoint + " does not answer");
        }
    }
}
