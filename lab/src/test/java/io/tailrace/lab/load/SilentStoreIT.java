package io.tailrace.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.local.EmbeddedBroker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Load wants a broker before it looks at its store; then it names one that does not answer, and goes on. */
@Tag("full")
class SilentStoreIT {
    private static final Duration SAID_MAX = Duration.ofSeconds(45);

    @Test
    void loadNamesAStoreThatDoesNotAnswer(@TempDir Path folder) throws Exception {
        StringWriter said = new StringWriter();
        ExecutorService commands = Executors.newSingleThreadExecutor();
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                ServerSocket silent = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
            String store = "http://127.0.0.1:%d/segments/".formatted(silent.getLocalPort());
            String line = "load --bootstrap %s --store %s --cache %s --model m@1,vocabulary=9,tokenizer=t --port -1"
                    .formatted(broker.bootstrap(), store, folder.resolve("cache"));
            Future<Integer> code = commands.submit(() -> Tailrace.commandLine()
                    .setOut(new PrintWriter(new StringWriter()))
                    .setErr(new PrintWriter(said, true))
                    .execute(line.split(" ", -1)));
            Awaitility.await()
                    .atMost(SAID_MAX)
                    .untilAsserted(() -> assertThat(said.toString()).contains("no store at " + store, "PT7S;"));
            assertThat(code).as("it goes on").isNotDone();
        } finally {
            commands.shutdownNow();
            assertThat(commands.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
