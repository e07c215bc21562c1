package io.tailrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.local.LocalKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
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
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "worker",
                "tap",
                "job",
                "topics",
                "topics list",
                "topics create",
                "inspect",
                "audit",
                "lanes",
                "workers",
                "events",
                "rejections",
                "generation",
                "console",
                "snapshots",
                "snapshots list",
                "snapshots rollback"
            })
    void helpOfACommandSaysHowToUseIt(String command) {
        assertThat(run((command + " --help").split(" ", -1))).isZero();
        assertThat(out.toString()).startsWith("Usage: tailrace " + command).contains("--help");
    }

    @Test
    void theVersionNamesTheCheckoutsCommit() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("tailrace \\d+\\.\\d+\\.\\d+(, commit [0-9a-f]{10}(-dirty)?)?\\R");
    }

    @Test
    void theCompletionScriptIsBashAndKnowsEveryCommand() throws Exception {
        assertThat(run("generate-completion")).isZero();
        Path script = Files.writeString(folder.resolve("completion"), out.toString());
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + script + "; COMP_WORDS=(tailrace snap); COMP_CWORD=1; _complete_tailrace;"
                                + " echo ${COMPREPLY[@]}")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).isZero();
        assertThat(said.strip()).isEqualTo("snapshots");
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

    /** Nothing answers at the broker's address: the keys are looked at first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "snapshots pin --lane m@1/s 7",
                "snapshots unpin --lane m@1/s",
                "snapshots rollback --lane m@1/s 7",
                "snapshots propose --lane m@1/s",
                "delete --scope s"
            })
    void aCommandThatReadersWouldRefuseIsNotGiven(String command) throws IOException {
        LocalKeys keys = LocalKeys.in(folder.resolve("keys"));
        LocalKeys others = LocalKeys.in(folder.resolve("others"));
        String line = command + " --bootstrap 127.0.0.1:1 --trusted-keys " + keys.trusted();
        assertThat(run(line.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).contains("--trusted-keys needs --signing-key");
        assertThat(run((line + " --signing-key " + others.signing()).split(" ", -1)))
                .isEqualTo(2);
        assertThat(err.toString()).contains("key file " + others.signing() + ": expected one of the trusted keys [");
        assertThat(run((line + " --signing-key " + keys.signing()).split(" ", -1)))
                .isEqualTo(2);
        assertThat(err.toString()).contains("no Kafka broker answers at 127.0.0.1:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snapshots list --lane m@1/s",
                "snapshots show --lane m@1/s",
                "snapshots diff --lane m@1/s 7 8",
                "lanes",
                "workers",
                "events",
                "generation r",
                "console --port 0",
                "audit --store file:///tmp",
                "worker --model FOLDER --store FOLDER"
            })
    void whoReadsSaysWhatIsWrongWithTheTrustedKeys(String command) throws IOException {
        LocalKeys keys = LocalKeys.in(folder.resolve("keys"));
        String line = command.replace("FOLDER", folder.toString()) + " --bootstrap 127.0.0.1:1 --trusted-keys ";
        assertThat(run((line + keys.signing()).split(" ", -1))).isEqualTo(2);
        assertThat(err.toString())
                .contains("--trusted-keys: key file " + keys.signing()
                        + ": expected blocks 'PUBLIC KEY' only, got ['PRIVATE KEY']");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lanes", "workers", "events --follow", "rejections", "generation r", "console --port 0"})
    void whoLooksAtAFleetIsToldThatNoBrokerAnswers(String command) {
        assertThat(run((command + " --bootstrap 127.0.0.1:1").split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).contains("no Kafka broker answers at 127.0.0.1:1");
    }

    /** FOLDER is a folder that is empty. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--bootstrap localhost:1 | --bootstrap needs --store",
                "--api-key-file x --scope-header y | --scope-header does nothing with --api-key-file",
                "--store FOLDER/missing | there is no such folder",
                "--store http://store/segments/ | must be a folder",
                "--store FOLDER | has no segment",
                "--budget 65 | --budget must be 0 to 64, got 65",
                "--device-bytes -1 | --device-bytes must be at least 0",
                "--fresh-tokens-all 0 | --fresh-tokens-all must be at least 1",
                "--drain-seconds -1 | --drain-seconds must be at least 0",
                "--event-millis 10001 | --event-millis must be 0 to 10000, got 10001",
                "--request-reports --event-millis 5 | --request-reports tells what --event-millis hides; leave one",
                "--operator-port 65536 | --operator-port must be 0 to 65535, got 65536",
                "--chat-template FOLDER/none | --chat-template: there is no file FOLDER/none",
                "--config FOLDER/none | there is no file"
            })
    void aWorkerSaysWhatIsWrongWithItsOptionsBeforeItLoadsAModel(String options, String why) {
        List<String> line = new ArrayList<>(List.of("worker", "--model", folder.toString()));
        line.addAll(List.of(options.replace("FOLDER", folder.toString()).split(" ", -1)));
        assertThat(run(line.toArray(new String[0]))).isEqualTo(2);
        assertThat(err.toString()).contains(why.replace("FOLDER", folder.toString()));
    }

    @Test
    void aWorkerSaysWhereAChatTemplateIsWrong() throws IOException {
        Path template = Files.writeString(folder.resolve("broken.jinja"), "a\n{% if messages %}");
        assertThat(run("worker", "--model", folder.toString(), "--chat-template", template.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--chat-template: " + template, "line 2: elif or else or endif is missing");
    }

    /** FOLDER is a folder with a file of keys in it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--upstream https://x:1 --scope s | --upstream: upstream must read http://HOST:PORT",
                "--upstream http://x:1/v1 --scope s | --upstream: upstream must read http://HOST:PORT",
                "--upstream x:1 --scope s | --upstream: upstream must read http://HOST:PORT",
                "--upstream http://x:1 | give one of --scope, --scope-header and --api-key-file",
                "--upstream http://x:1 --scope s --scope-header h | give one of --scope, --scope-header and",
                "--upstream http://x:1 --api-key-file FOLDER/keys | every line must be KEY SCOPE",
                "--upstream http://x:1 --api-key-file FOLDER/none | --api-key-file",
                "--upstream http://x:1 --scope s --tokenizer FOLDER | tokenizer.json is missing",
                "--upstream http://x:1 --scope s --name a#b | --name",
                "--upstream http://x:1 --scope s --spool-bytes 1 | --spool-bytes: spoolBytesMax must be at least",
                "--upstream http://x:1 --scope s --spool FOLDER/spool --bootstrap no.such.host.invalid:1 | brokers no.such.host.invalid:1: No resolvable bootstrap urls",
                "--upstream http://x:1 --scope s --kept-bytes 0 | --kept-bytes must be at least 1, got 0"
            })
    void aTapSaysWhatIsWrongWithItsOptionsBeforeItForwards(String options, String why) throws IOException {
        Files.writeString(folder.resolve("keys"), "k1 acme\nk2\n");
        List<String> line =
                new ArrayList<>(List.of("tap", "--served-model", "m", "--port", "0", "--operator-port", "0"));
        line.addAll(options.contains("--bootstrap") ? List.of() : List.of("--bootstrap", "127.0.0.1:1"));
        line.addAll(List.of(options.replace("FOLDER", folder.toString()).split(" ", -1)));
        assertThat(run(line.toArray(new String[0]))).isEqualTo(2);
        assertThat(err.toString()).contains(why);
    }

    /** That is what a worker without Kafka does; it fails for want of a model here. */
    @Test
    void aWorkerWithoutKafkaDraftsFromItsOwnAnswersAlsoIfToldSo() {
        assertThat(run("worker", "--model", folder.toString(), "--device", "cpu", "--fresh-from", "own"))
                .isEqualTo(2);
        assertThat(err.toString()).contains(folder.toString()).doesNotContain("--fresh-from");
    }

    @Test
    void helpNamesEveryCommand() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "worker",
                        "tap",
                        "job",
                        "topics",
                        "snapshots",
                        "delete",
                        "audit",
                        "inspect",
                        "test [--full]",
                        "Exit codes")
                .doesNotContain("Laboratory", "options");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "demonstration",
                "topics",
                "snapshots",
                "snapshots list --bootstrap localhost:1",
                "snapshots list --bootstrap localhost:1 --lane nonsense",
                "snapshots rollback --bootstrap localhost:1 --lane m@1/s",
                "snapshots propose --bootstrap localhost:1 --lane m@1/s --budget 65",
                "snapshots propose --bootstrap localhost:1 --lane m@1/s --weights /no/such/file",
                "audit --bootstrap localhost:1",
                "audit --bootstrap localhost:1 --store nowhere",
                "audit --bootstrap localhost:1 --store file:///tmp --ids /no/such/file",
                "audit --bootstrap localhost:1 --store file:///tmp --every-seconds -1",
                "topics create",
                "topics create --bootstrap localhost:1 --replication-factor 0",
                "topics create --bootstrap localhost:1 --client-config /no/such/file",
                "topics create --bootstrap nonsense",
                "worker --bootstrap localhost:1",
                "worker --bootstrap localhost:1 --store /tmp --model m",
                "worker --model /tmp --input /dev/null",
                "job --bootstrap localhost:1 --store file:///tmp --folder /tmp --model m@1,vocabulary=9,tokenizer=t,size=3",
                "worker --model /tmp --strategy nonsense",
                "worker --model /tmp --strategy draft-model:layers=none",
                "worker --model /tmp --name a#b",
                "snapshots unpin --bootstrap localhost:1 --lane m@1/s --wait-seconds -1",
                "worker --model /tmp --fresh-tokens-all 0",
                "job --bootstrap localhost:1 --store relative --model m@1,vocabulary=9,tokenizer=t --folder /tmp"
            })
    void badUsageIsSaidAndExitsWith2(String arguments) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1)))
                .isEqualTo(2);
        assertThat(err.toString()).isNotBlank().doesNotContain("Exception");
    }

    @Test
    void aModelThatIsMissingIsNamedWithWhatToGive() {
        assertThat(run("worker", "--model", folder.resolve("none").toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("--model " + folder.resolve("none"), "config.json")
                .doesNotContain("--bootstrap");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "worker --model FOLDER --port PORT",
                "tap --upstream http://x:1 --served-model m --bootstrap 127.0.0.1:1 --scope s --port PORT",
                "tap --upstream http://x:1 --served-model m --bootstrap 127.0.0.1:1 --scope s --port 0 --operator-port PORT",
                "job --bootstrap 127.0.0.1:1 --store file:///tmp --model m@1,vocabulary=9,tokenizer=t --folder FOLDER --port PORT"
            })
    void aPortThatIsTakenIsNamedWithItsOptionBeforeAnythingStarts(String line) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(run(line.replace("PORT", port)
                            .replace("FOLDER", folder.toString())
                            .split(" ", -1)))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("port " + port + " is in use").doesNotContain("Javalin");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topics create --bootstrap 127.0.0.1:1",
                "snapshots list --bootstrap 127.0.0.1:1 --lane m@1/s",
                "delete --bootstrap 127.0.0.1:1 --scope s",
                "job --bootstrap 127.0.0.1:1 --store file:///tmp --model m@1,vocabulary=9,tokenizer=t --folder FOLDER --port 0"
            })
    void aBrokerThatDoesNotAnswerIsNamedWithItsAddress(String line) {
        assertThat(run(line.replace("FOLDER", folder.toString()).split(" ", -1)))
                .isEqualTo(2);
        assertThat(err.toString()).contains("no Kafka broker answers at 127.0.0.1:1", "--bootstrap");
    }

    @Test
    void everydayOptionsStandUnderHeadingsAndTheRestInTheReference() {
        assertThat(run("worker", "--help")).isZero();
        assertThat(out.toString())
                .contains("Model:", "HTTP:", "Drafting:", "Fleet:", "--config=FILE", "docs/reference/options.md")
                .doesNotContain("--spool-bytes", "--prefill-tokens");
        assertThat(Tailrace.commandLine()
                        .getSubcommands()
                        .get("worker")
                        .getCommandSpec()
                        .findOption("--spool-bytes"))
                .isNotNull();
    }

    @Test
    void whatIsUnknownIsAnsweredWithWhatIsMeantAndWhereHelpIs() {
        assertThat(run("worker", "--model", "x", "--strategie", "none")).isEqualTo(2);
        assertThat(err.toString()).contains("--strategie", "--strategy", "See 'tailrace worker --help'");
    }

    @Test
    void topicsListSaysHowLongRecordsAreKeptInAUnitThatFits() {
        assertThat(run("topics", "list")).isZero();
        assertThat(out.toString()).contains("10 min", "24 h", "for ever").doesNotContain(" 0 h");
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
