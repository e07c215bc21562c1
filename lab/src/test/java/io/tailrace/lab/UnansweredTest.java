package io.tailrace.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Every command that talks to Kafka names a broker that does not answer; how long each looks is the same constant for all. */
class UnansweredTest {
    private static final Duration SAID_MAX = Duration.ofSeconds(45);
    private static final String SILENT = "SILENT";
    private static final String SHORTLY = "--client-property default.api.timeout.ms=2000 ";

    /** What each needs besides; FOLDER is an empty folder, MODEL that of a tiny model. */
    private static final Map<String, String> BESIDES = Map.ofEntries(
            Map.entry("agent", "--store FOLDER --port 0 --listen FOLDER/sock --spool FOLDER/agent"),
            Map.entry("worker", "--model MODEL --device cpu --store file:FOLDER --port 0 --spool FOLDER/worker"),
            Map.entry(
                    "tap",
                    "--upstream http://x:1 --served-model m --scope s --port 0 --operator-port 0 --spool FOLDER/tap"),
            Map.entry("job", "--store file:FOLDER --model m@1,vocabulary=9,tokenizer=t --folder FOLDER/job --port 0"),
            Map.entry("topics create", ""),
            Map.entry("lanes", ""),
            Map.entry("workers", ""),
            Map.entry("outcomes", "--lane m@1/s"),
            Map.entry("learning", "--lane m@1/s"),
            Map.entry("events", ""),
            Map.entry("rejections", ""),
            Map.entry("generation", "r"),
            Map.entry("console", "--port 0"),
            Map.entry("snapshots list", "--lane m@1/s"),
            Map.entry("snapshots show", "--lane m@1/s"),
            Map.entry("snapshots diff", "--lane m@1/s 7 8"),
            Map.entry("snapshots pin", "--lane m@1/s 7"),
            Map.entry("snapshots unpin", "--lane m@1/s"),
            Map.entry("snapshots rollback", "--lane m@1/s 7"),
            Map.entry("snapshots propose", "--lane m@1/s"),
            Map.entry("delete", "--scope s"),
            Map.entry("audit", "--store file:FOLDER"),
            Map.entry("check", ""),
            Map.entry("load", "--store FOLDER --model m@1,vocabulary=9,tokenizer=t --port -1"));

    private static final Set<String> GO_ON = Set.of("agent", "worker", "tap");

    @TempDir
    private static Path folder;

    @Test
    void whatEachCommandNeedsIsKnown() {
        assertThat(BESIDES.keySet())
                .as("commands with --bootstrap; say here what a new one needs besides")
                .containsExactlyInAnyOrderElementsOf(
                        withBrokers(Tailrace.commandLine().getCommandSpec(), ""));
    }

    @Test
    void everyCommandRefusesWhatIsNoAddress() throws IOException {
        for (Map.Entry<String, String> command : BESIDES.entrySet()) {
            Said said = new Said(command.getKey(), command.getValue(), "kafka");
            assertThat(said.call()).as(said.name).isEqualTo(ExitCodes.BAD_INPUT);
            assertThat(said.text()).as(said.name).contains("a broker is host:port", "got 'kafka'");
        }
    }

    private static List<String> withBrokers(CommandSpec spec, String name) {
        List<String> found = new ArrayList<>();
        if (spec.findOption("--bootstrap") != null) {
            found.add(name);
        }
        spec.subcommands()
                .forEach((sub, command) ->
                        found.addAll(withBrokers(command.getCommandSpec(), name.isEmpty() ? sub : name + " " + sub)));
        return found;
    }

    /** Somebody listens and never answers; nobody listens; there is no such host; packets to the address go nowhere. */
    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(strings = {SILENT, "127.0.0.1:1", "no.such.host.invalid:9092", "192.0.2.1:9092"})
    void everyCommandNamesTheBroker(String where) throws Exception {
        Path own = Files.createDirectories(folder.resolve(where.replace(':', '-')));
        Path model = ModelDirectory.write(
                Files.createDirectories(own.resolve("model")), TinyLlama.random(Shape.small(), 1), WeightType.F32, 1);
        ExecutorService commands = Executors.newCachedThreadPool();
        try (ServerSocket silent = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
            String address = where.equals(SILENT) ? "127.0.0.1:" + silent.getLocalPort() : where;
            Map<String, Said> said = new LinkedHashMap<>();
            BESIDES.forEach((name, besides) -> said.put(
                    name,
                    new Said(
                            name,
                            SHORTLY + besides.replace("FOLDER", own.toString()).replace("MODEL", model.toString()),
                            address)));
            Map<String, Future<Integer>> codes = new LinkedHashMap<>();
            said.forEach((name, command) -> codes.put(name, commands.submit(command)));
            Awaitility.await()
                    .atMost(SAID_MAX)
                    .untilAsserted(() -> assertThat(said.values())
                            .allSatisfy(command -> assertThat(command.text())
                                    .as(command.name)
                                    .contains(address)
                                    .doesNotContain("Exception")));
            for (Map.Entry<String, Future<Integer>> code : codes.entrySet()) {
                if (GO_ON.contains(code.getKey())) {
                    continue; // without Kafka, as long as its clients can be made at all
                }
                assertThat(code.getValue().get(10, TimeUnit.SECONDS))
                        .as(code.getKey())
                        .isEqualTo(ExitCodes.BAD_INPUT);
            }
        } finally {
            commands.shutdownNow();
            assertThat(commands.awaitTermination(30, TimeUnit.SECONDS))
                    .as("whoever is interrupted ends")
                    .isTrue();
        }
    }

    /** Without a property that shortens it: one command alone. What it waited for is what it says, whatever a busy machine adds. */
    @Test
    void whereNobodySaysHowLongASilentBrokerIsNamedAfterFiveSeconds() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            Said said = new Said("lanes", "", address);
            assertThat(said.call()).isEqualTo(ExitCodes.BAD_INPUT);
            assertThat(said.text()).contains(address, "no Kafka broker answers within 5000 ms");
        }
    }

    /** They go on, too: the store may come later. */
    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(strings = {"agent", "worker"})
    void whoReadsTheStoreNamesOneThatDoesNotAnswer(String name) throws Exception {
        Path own = Files.createDirectories(folder.resolve("store-of-" + name));
        Path model = ModelDirectory.write(
                Files.createDirectories(own.resolve("model")), TinyLlama.random(Shape.small(), 1), WeightType.F32, 1);
        ExecutorService commands = Executors.newCachedThreadPool();
        try (ServerSocket silent = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
            String store = "http://127.0.0.1:%d/segments".formatted(silent.getLocalPort());
            Said said = new Said(
                    name,
                    SHORTLY
                            + BESIDES.get(name)
                                    .replaceFirst("--store \\S+", "--store " + store)
                                    .replace("FOLDER", own.toString())
                                    .replace("MODEL", model.toString()),
                    "127.0.0.1:1");
            Future<Integer> code = commands.submit(said);
            Awaitility.await().atMost(SAID_MAX).until(() -> said.text().contains("no store at " + store));
            assertThat(code).as("it goes on").isNotDone();
        } finally {
            commands.shutdownNow();
            assertThat(commands.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A command as it is given, and what it says. */
    private static final class Said implements Callable<Integer> {
        private final String name;
        private final String line;
        private final StringWriter err = new StringWriter();

        Said(String name, String besides, String address) {
            this.name = name;
            this.line = "%s --bootstrap %s %s".formatted(name, address, besides);
        }

        String text() {
            return err.toString();
        }

        @Override
        public Integer call() throws IOException {
            CommandLine command = Tailrace.commandLine()
                    .setOut(new PrintWriter(new StringWriter()))
                    .setErr(new PrintWriter(err, true));
            return command.execute(line.strip().split(" +"));
        }
    }
}
