package io.tailrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class TailraceTest {
    private static final String GOOD_LINE = "{\"id\":\"a\",\"prompt\":[1,2],\"response\":[3,4]}";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "worker",
                "job",
                "topics",
                "topics list",
                "topics create",
                "traffic",
                "inspect",
                "snapshots",
                "snapshots list",
                "snapshots rollback"
            })
    void helpOfACommandSaysHowToUseIt(String command) {
        assertThat(run((command + " --help").split(" ", -1))).isZero();
        assertThat(out.toString()).startsWith("Usage: tailrace " + command).contains("--help");
    }

    @Test
    void aJobIsNotStartedOverItsOwnStateByMistake() throws IOException {
        Path savepoint = Files.createDirectories(folder.resolve("savepoints/savepoint-1"));
        Files.writeString(savepoint.resolve("_metadata"), "x");
        String model = "m@1,vocabulary=10,tokenizer=t";
        assertThat(run(
                        "job",
                        "--bootstrap",
                        "127.0.0.1:1",
                        "--store",
                        folder.toUri().toString(),
                        "--model",
                        model,
                        "--folder",
                        folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--restore " + savepoint.toUri(), "--restore none", "withdraws every version");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--store x",
                "--spool x",
                "--spool-bytes 1000",
                "--no-prompts",
                "--topic-prefix a.",
                "--wait-for-snapshot"
            })
    void aWorkerWithoutKafkaRefusesWhatWouldDoNothing(String option) {
        List<String> line = new ArrayList<>(List.of("worker", "--model", folder.toString()));
        line.addAll(List.of(option.split(" ", -1)));
        assertThat(run(line.toArray(new String[0]))).isEqualTo(2);
        assertThat(err.toString()).contains(line.get(3), "--bootstrap");
    }

    /** FOLDER is a folder that is empty. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--fresh-from fleet | --bootstrap",
                "--fresh-tokens 0 --fresh-from own | --fresh-from does nothing with --fresh-tokens 0",
                "--fresh-tokens 0 --fresh-tokens-all 9 | --fresh-tokens-all does nothing with --fresh-tokens 0",
                "--strategy none --budget 8 | --budget does nothing with --strategy none",
                "--strategy none --whole-drafts | --whole-drafts does nothing with --strategy none",
                "--strategy prompt-lookup --fresh-tokens 9 | --fresh-tokens does nothing with --strategy prompt-lookup",
                "--strategy token-recycling --fresh-tokens-all 9 | --fresh-tokens-all does nothing",
                "--strategy draft-model:tokens=2 --snapshot-dir FOLDER | --snapshot-dir does nothing",
                "--strategy none --fresh-from own | --fresh-from does nothing",
                "--strategy suffix-decoding --device-bytes 9 | --device-bytes does nothing",
                "--device cpu --device-bytes 9 | --device-bytes does nothing",
                "--device cpu --cache FOLDER | --cache does nothing without Kafka",
                "--api-key-file x --scope-header y | --scope-header does nothing with --api-key-file",
                "--snapshot-dir FOLDER/missing | there is no such folder",
                "--snapshot-dir FOLDER --wait-for-snapshot | has no segment"
            })
    void aServingWorkerRefusesWhatItsOtherOptionsLeaveWithoutEffect(String options, String why) {
        List<String> line = new ArrayList<>(List.of("worker", "--model", folder.toString()));
        line.addAll(List.of(options.replace("FOLDER", folder.toString()).split(" ", -1)));
        assertThat(run(line.toArray(new String[0]))).isEqualTo(2);
        assertThat(err.toString()).contains(why);
    }

    /** That is what a worker without Kafka does; it fails for want of a model here. */
    @Test
    void aServingWorkerWithoutKafkaDraftsFromItsOwnAnswersAlsoIfToldSo() {
        assertThat(run("worker", "--model", folder.toString(), "--device", "cpu", "--fresh-from", "own"))
                .isEqualTo(2);
        assertThat(err.toString()).contains(folder.toString()).doesNotContain("--fresh-from");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--pace 2 | --pace is for replaying --input",
                "--requests 3 | --requests is for replaying --input",
                "--own-context | --own-context is for replaying --input",
                "--scope s | --scope is for replaying --input",
                "--budget 8 | --budget is for replaying --input",
                "--input /dev/null --metrics-port -1 --metrics-host ::1 | --metrics-host does nothing with --metrics-port -1",
                "--fresh-tokens-all 9 | --fresh-tokens-all is for serving"
            })
    void aReplayingWorkerRefusesWhatWouldDoNothing(String options, String why) {
        List<String> line = new ArrayList<>(List.of("worker", "--bootstrap", "localhost:1", "--store"));
        line.addAll(List.of(folder.toString(), "--model", "m@1,vocabulary=9,tokenizer=t"));
        line.addAll(List.of(options.split(" ", -1)));
        assertThat(run(line.toArray(new String[0]))).isEqualTo(2);
        assertThat(err.toString()).contains(why);
    }

    @Test
    void helpNamesEveryCommand() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("demo", "worker", "job", "topics", "traffic", "inspect", "test [--full]", "Exit codes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "demonstration",
                "demo --requests many",
                "demo --requests 0",
                "demo --workers 0",
                "demo --pace 0",
                "demo --pace NaN",
                "demo --port 65536",
                "demo --shards 0",
                "demo --json /no/such/folder/demo.json",
                "topics",
                "snapshots",
                "snapshots list --bootstrap localhost:1",
                "snapshots list --bootstrap localhost:1 --lane nonsense",
                "snapshots rollback --bootstrap localhost:1 --lane m@1/s",
                "snapshots propose --bootstrap localhost:1 --lane m@1/s --budget-max 65",
                "snapshots propose --bootstrap localhost:1 --lane m@1/s --weights /no/such/file",
                "topics create",
                "topics create --bootstrap localhost:1 --replication-factor 0",
                "topics create --bootstrap localhost:1 --client-config /no/such/file",
                "topics create --bootstrap nonsense",
                "bench saguaro --model /no/such/model --input /no/such/file",
                "bench saguaro --model /no/such/model --input /no/such/file --temperature 0",
                "bench saguaro --model /no/such/model --input /no/such/file --cached 0",
                "worker --bootstrap localhost:1",
                "worker --bootstrap localhost:1 --store /tmp --model m",
                "worker --bootstrap localhost:1 --store /tmp --model m@1,vocabulary=9,tokenizer=t,size=3",
                "worker --model /tmp --strategy nonsense",
                "worker --model /tmp --strategy draft-model:layers=none",
                "worker --model /tmp --name a#b",
                "snapshots unpin --bootstrap localhost:1 --lane m@1/s --wait-seconds -1",
                "worker --bootstrap localhost:1 --store /tmp --model m@1,vocabulary=9,tokenizer=t --input /dev/null --budget 65",
                "worker --model /tmp --fresh-tokens-all 0",
                "job --bootstrap localhost:1 --store relative --model m@1,vocabulary=9,tokenizer=t --folder /tmp"
            })
    void badUsageIsSaidAndExitsWith2(String arguments) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1)))
                .isEqualTo(2);
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

    @Test
    void aPortInUseIsSaid() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("demo", "--port", Integer.toString(taken.getLocalPort())))
                    .isEqualTo(2);
            assertThat(err.toString())
                    .contains("--port " + taken.getLocalPort())
                    .contains("in use");
        }
    }

    @Test
    void topicsListAlsoComesAsJson() throws IOException {
        Path json = folder.resolve("topics.json");
        assertThat(run("topics", "list", "--topic-prefix", "staging-", "--json", json.toString()))
                .isZero();
        assertThat(out.toString()).contains("staging-generations", "lane#version");
        assertThat(Files.readString(json)).contains("\"staging-generations\"", "\"partitions\"");
    }

    private int run(String... arguments) {
        CommandLine command =
                Tailrace.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
