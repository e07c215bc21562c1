package io.tailrace.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.cli.Tailrace;
import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code tailrace dev} says before it starts anything. */
class DevCommandTest {
    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"--port", "--kafka-port", "--dashboard-port"})
    void aPortThatIsTakenIsNamedWithItsOption(String option) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(run("dev", "--model", folder.toString(), option, port)).isEqualTo(2);
            assertThat(err.toString()).contains(option + " " + port + " is in use", "choose another one");
        }
    }

    @Test
    void itNeedsNoModelAndAWorkerDoes() {
        assertThat(help("dev")).contains("dev [OPTION...]", "a small Llama with");
        assertThat(help("worker")).contains("worker --model=FOLDER [OPTION...]");
    }

    private static String help(String command) {
        StringWriter out = new StringWriter();
        Tailrace.commandLine().setOut(new PrintWriter(out, true)).execute(command, "--help");
        return out.toString();
    }

    @Test
    void aMissingModelIsNamedWithWhatToGive() {
        String missing = folder.resolve("none").toString();
        assertThat(run("dev", "--model", missing)).isEqualTo(2);
        assertThat(err.toString()).contains("--model " + missing, "there is no such folder", "config.json");
    }

    @Test
    void aFolderWithoutAModelIsNamedWithWhatIsMissing() {
        assertThat(run(
                        "dev",
                        "--model",
                        folder.toString(),
                        "--device",
                        "cpu",
                        "--port",
                        "18997",
                        "--kafka-port",
                        "18998",
                        "--dashboard-port",
                        "18999"))
                .isEqualTo(2);
        assertThat(err.toString()).contains(folder.toString(), "config.json");
    }

    /** The job would be restarted again and again, and say in its log what a cluster is to be given. */
    @Test
    void aHeapThatIsTooSmallIsNamedWithWhatToGive() {
        assertThatThrownBy(() -> DevCommand.requireHeap(1_500L << 20))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("may have 1500 MiB")
                .hasMessageMatching(".*needs a heap of (\\d+) MiB.*TAILRACE_JAVA_OPTS=-Xmx\\1m.*");
        assertThatCode(() -> DevCommand.requireHeap(2_048L << 20))
                .as("what the launcher gives")
                .doesNotThrowAnyException();
    }

    private int run(String... arguments) {
        return Tailrace.commandLine()
                .setErr(new PrintWriter(err, true))
                .setOut(new PrintWriter(new StringWriter(), true))
                .execute(arguments);
    }
}
