package io.tailrace.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

final class LabCommandsTest {
    private static final String GOOD_LINE = "{\"id\":\"a\",\"prompt\":[1,2],\"response\":[3,4]}";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void whatIsForTheFirstHourStandsFirstAndTheLaboratoryLast() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()
                        .lines()
                        .dropWhile(line -> !line.equals("First hour:"))
                        .filter(line -> line.matches("\\w.*:|  [a-z].*"))
                        .map(line -> line.strip().replaceFirst(" .*", ""))
                        .takeWhile(word -> !word.equals("Serve:")))
                .containsExactly("First", "demo", "dev", "replay", "convert", "check");
        assertThat(out.toString().substring(out.toString().indexOf("Laboratory:")))
                .contains("load", "traffic", "chaos", "bench")
                .doesNotContain("  demo ", "  help ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "replay", "load", "traffic", "bench", "bench saguaro", "bench ingest"})
    void helpOfACommandSaysHowToUseIt(String command) {
        assertThat(run((command + " --help").split(" ", -1))).isZero();
        assertThat(out.toString()).startsWith("Usage: tailrace " + command).contains("--help");
    }

    /** Texts of the help are formats: a per cent sign alone makes picocli warn and print them raw. */
    @Test
    void helpOfEveryCommandIsAWellFormedFormat() {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream listening = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            System.setErr(listening);
            help(Tailrace.commandLine());
        } finally {
            System.setErr(before);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private static void help(CommandLine command) {
        assertThat(command.getUsageMessage()).isNotBlank();
        command.getSubcommands().values().forEach(LabCommandsTest::help);
    }

    static Stream<CommandSpec> commands() {
        return below(Tailrace.commandLine().getCommandSpec());
    }

    private static Stream<CommandSpec> below(CommandSpec spec) {
        return spec.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(sub -> sub.subcommands().isEmpty()
                        && !List.of("help", "generate-completion").contains(sub.name()))
                .flatMap(sub -> Stream.concat(Stream.of(sub), below(sub)));
    }

    /** Whatever stands before it, and whatever is missing: picocli says that first, or takes the option for a value. */
    @ParameterizedTest
    @MethodSource("commands")
    void aMistypedOptionIsNamedWithTheRightOneBeforeAnythingElse(CommandSpec command) {
        String known = command.options().get(0).longestName();
        String mistyped = known.substring(0, known.length() - 1);
        int options = command.options().size();
        Stream.concat(
                        Stream.of(""),
                        IntStream.of(0, options / 2, options - 1)
                                .mapToObj(i -> command.options().get(i).longestName() + " x "))
                .map(before -> "%s %s%s y".formatted(command.qualifiedName(), before, mistyped))
                .forEach(line -> {
                    err.getBuffer().setLength(0);
                    assertThat(run(line.substring(line.indexOf(' ') + 1).split(" +", -1)))
                            .as(line)
                            .isEqualTo(2);
                    assertThat(err.toString())
                            .as(line)
                            .startsWith("tailrace: Unknown option: '" + mistyped + "'")
                            .contains(known)
                            .contains("See '" + command.qualifiedName() + " --help'");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "convert --input sg.json --tokeniser M --output o | Unknown option: '--tokeniser' | --tokenizer",
                "replay --input a --strategie adaptive | Unknown option: '--strategie' | --strategy",
                "replay --inptu x | Unknown option: '--inptu' | --input",
                "lanes --bootstrap-servers h:1 | Unknown option: '--bootstrap-servers' | --bootstrap",
                "snapshots list --lane m@1/s --bootstrp x:1 | Unknown option: '--bootstrp' | --bootstrap",
                "lanes h:1 | Unmatched argument at index 1: 'h:1' | lanes",
                "replai --input a | Unmatched arguments from index 0: 'replai' | replay"
            })
    void whatIsMistypedIsNamedWithWhatIsMeantPerhaps(String line, String said, String meant) {
        assertThat(run(line.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).contains(said, meant).doesNotContain("Missing required");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demonstration",
                "demo --requests many",
                "demo --requests 0",
                "demo --workers 0",
                "demo --metrics-port 0",
                "demo --pace 0",
                "demo --pace NaN",
                "demo --port 65536",
                "demo --shards 0",
                "demo --vocabulary 0",
                "demo --json /no/such/folder/demo.json",
                "demo --engine another",
                "demo --engine vllm --workers 3",
                "demo --engine vllm --input /dev/null",
                "demo --engine vllm --requests 281",
                "demo --model /no/such/model",
                "demo --environment /no/such/environment",
                "check",
                "check --input /dev/null --bootstrap localhost:1",
                "check --input /dev/null --records 1",
                "check --input /dev/null --topic t",
                "check --input /dev/null --json /tmp/check.json",
                "check --bootstrap localhost:1 --records 0",
                "bench scale --lanes 0",
                "bench scale --followers 10001",
                "bench scale --rates many",
                "bench saguaro --model /no/such/model --input /no/such/file",
                "bench saguaro --model /no/such/model --input /no/such/file --temperature 0",
                "bench saguaro --model /no/such/model --input /no/such/file --cached 0",
                "load --bootstrap localhost:1",
                "load --bootstrap localhost:1 --store /tmp --model m",
                "load --bootstrap localhost:1 --store /tmp --model m@1,vocabulary=9,tokenizer=t,size=3",
                "load --bootstrap localhost:1 --store /tmp --model m@1,vocabulary=9,tokenizer=t --input /dev/null --budget 65",
                "load --bootstrap localhost:1 --store /tmp --model m@1,vocabulary=9,tokenizer=t --input /dev/null --port -2",
                "load --bootstrap localhost:1 --store /tmp --model m@1,vocabulary=9,tokenizer=t --input /no/such/file --port -1",
                "load --bootstrap localhost:1 --store /tmp --model m@1,vocabulary=9,tokenizer=t --device cpu"
            })
    void badUsageIsSaidAndExitsWith2(String arguments) {
        assertThat(run(arguments.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).isNotBlank().doesNotContain("Exception");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"id\":\"b\",\"prompt\":[1],\"resp | JSON",
                "{\"id\":\"b\",\"prompt\":[-1],\"response\":[1]} | negative",
                "{\"id\":\"b\",\"prompt\":[1],\"response\":[2147483647]} | below 2147483647",
                "{\"id\":\"b\",\"prompt\":[1],\"response\":[]} | at least one token",
                "{\"prompt\":[1],\"response\":[1]} | id",
                "{\"id\":\"b\",\"parent\":\"nobody\",\"prompt\":[1],\"response\":[1]} | parent"
            })
    void aBadLineIsNamedByFileAndLineBeforeAnythingStarts(String line, String rule) throws IOException {
        Path file = folder.resolve("requests.jsonl");
        Files.write(file, List.of(GOOD_LINE, line));
        assertThat(run("demo", "--input", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains(file + ":2").contains(rule);
        assertThat(out.toString()).doesNotContain("Starting");
    }

    @Test
    void aMissingInputIsNamed() {
        assertThat(run("demo", "--input", "/no/such/requests.jsonl")).isEqualTo(2);
        assertThat(err.toString()).contains("/no/such/requests.jsonl");
    }

    @Test
    void anInputWithoutRequestsIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("empty.jsonl"));
        assertThat(run("demo", "--input", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("no request").contains("empty.jsonl");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo --port PORT",
                "load --bootstrap localhost:1 --store /tmp --model m@1,vocabulary=9,tokenizer=t --port PORT"
            })
    void aPortInUseIsSaid(String line) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(run(line.replace("PORT", port).split(" ", -1))).isEqualTo(2);
            assertThat(err.toString()).contains("--port " + port).contains("in use");
        }
    }

    private int run(String... arguments) {
        CommandLine command =
                Tailrace.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
