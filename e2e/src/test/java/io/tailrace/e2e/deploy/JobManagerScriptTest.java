package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the JobManager's container starts from. The store is a folder, and a script in the place of curl. */
class JobManagerScriptTest {
    @TempDir
    Path folder;

    @BeforeEach
    void configure() throws IOException {
        Path settings = RepositoryFiles.root().resolve("deploy/flink/config.yaml");
        Files.copy(settings, Files.createDirectory(folder.resolve("conf")).resolve("config.yaml"));
    }

    @Test
    void theNewestCompletedCheckpointIsGoneOnFrom() throws Exception {
        store(
                "checkpoints",
                key("checkpoints/a/chk-9/_metadata", "2026-01-01T10:00:09Z")
                        + key("checkpoints/a/chk-10/_metadata", "2026-01-01T10:00:10Z")
                        + key("checkpoints/a/chk-11/part-0", "2026-01-01T10:00:11Z"));
        store("savepoints", key("savepoints/savepoint-1/_metadata", "2026-01-01T09:00:00Z"));
        intact("checkpoints/a/chk-9", "checkpoints/a/chk-10", "savepoints/savepoint-1");
        assertThat(run("").output())
                .startsWith("starting from s3://state/checkpoints/a/chk-10")
                .contains("STARTED standalone-job --fromSavepoint s3://state/checkpoints/a/chk-10 --job-classname")
                .endsWith("--store=s3://segments/\n");
    }

    @Test
    void aJobThatWasStoppedWithASavepointGoesOnFromIt() throws Exception {
        store("checkpoints", key("checkpoints/a/shared/x", "2026-01-01T10:00:09Z"));
        store("savepoints", key("savepoints/savepoint-1/_metadata", "2026-01-01T09:00:00Z"));
        intact("savepoints/savepoint-1");
        assertThat(run("").output()).contains("--fromSavepoint s3://state/savepoints/savepoint-1 ");
    }

    @Test
    void whatIsNotIntactIsSkippedAndSaid() throws Exception {
        store(
                "checkpoints",
                key("checkpoints/a/chk-9/_metadata", "2026-01-01T10:00:09Z")
                        + key("checkpoints/a/chk-10/_metadata", "2026-01-01T10:00:10Z"));
        store("savepoints", key("savepoints/savepoint-1/_metadata", "2026-01-01T09:00:00Z"));
        intact("checkpoints/a/chk-9", "savepoints/savepoint-1");
        assertThat(run("").output())
                .contains("state/checkpoints/a/chk-10 is not intact and is skipped: it has no _metadata")
                .contains("--fromSavepoint s3://state/checkpoints/a/chk-9 ");
    }

    /** Empty state would withdraw every version that workers serve. */
    @Test
    void whereNoneIsIntactNothingIsStarted() throws Exception {
        store("checkpoints", key("checkpoints/a/chk-9/_metadata", "2026-01-01T10:00:09Z"));
        store("savepoints", "");
        Run run = run("");
        assertThat(run.output()).doesNotContain("STARTED").contains("none of 1 checkpoints and savepoints is intact");
        assertThat(run.code()).isNotZero();
    }

    @Test
    void anEmptyStoreMeansANewJobAndTheEnvironmentDecidesOtherwise() throws Exception {
        store("checkpoints", "");
        store("savepoints", "");
        assertThat(run("").output()).startsWith("STARTED standalone-job --job-classname");
        store("checkpoints", key("checkpoints/a/chk-9/_metadata", "2026-01-01T10:00:09Z"));
        assertThat(run("none").output())
                .startsWith("STARTED standalone-job --job-classname")
                .endsWith(" --start-empty\n");
        assertThat(run("s3://other/savepoint-7").output()).contains("--fromSavepoint s3://other/savepoint-7 ");
    }

    /** A container has the same environment each time that it starts, for months. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "s3://state/savepoints/savepoint-1"})
    void whatTheEnvironmentSaysIsDoneOnceAndAContainerThatStartsAgainGoesOn(String from) throws Exception {
        String before = key("checkpoints/a/chk-9/_metadata", "2026-01-01T10:00:09Z");
        store("checkpoints", before);
        store("savepoints", key("savepoints/savepoint-1/_metadata", "2026-01-01T09:00:00Z"));
        intact("checkpoints/a/chk-9", "checkpoints/b/chk-1", "savepoints/savepoint-1");
        String once = from.equals("none") ? " --start-empty\n" : "--fromSavepoint " + from + " ";
        assertThat(run(from).output()).contains(once);
        assertThat(run(from).output()).as("the job has saved nothing yet").contains(once);
        store("checkpoints", before + key("checkpoints/b/chk-1/_metadata", "2026-01-01T12:00:01Z"));
        assertThat(run(from).output())
                .contains("a job was started from " + from + " before, and goes on")
                .contains("--fromSavepoint s3://state/checkpoints/b/chk-1 ")
                .doesNotContain("--start-empty");
        assertThat(run("").output()).contains("--fromSavepoint s3://state/checkpoints/b/chk-1 ");
        assertThat(run("").output()).contains("--fromSavepoint s3://state/checkpoints/b/chk-1 ");
        assertThat(run(from).output()).as("asked for anew").contains(once);
    }

    /** Empty state would withdraw every version that workers serve. */
    @Test
    void aStoreThatDoesNotAnswerStartsNothing() throws Exception {
        store("checkpoints", "");
        Run run = run("");
        assertThat(run.output()).doesNotContain("STARTED").contains("the store is away");
        assertThat(run.code()).isNotZero();
    }

    /** A bucket is asked in its region, and signed for it. */
    @Test
    void theRegionIsInTheSignatureAndInTheEndpointOfAws() throws Exception {
        store("checkpoints", "");
        store("savepoints", "");
        run("", Map.of("AWS_REGION", "eu-west-1"));
        assertThat(asked())
                .contains("--aws-sigv4 aws:amz:eu-west-1:s3 ")
                .contains(" https://s3.eu-west-1.amazonaws.com/state?list-type=2");
        run("", Map.of());
        assertThat(asked())
                .contains("--aws-sigv4 aws:amz:us-east-1:s3 ")
                .contains(" https://s3.us-east-1.amazonaws.com/state?list-type=2");
        run("", Map.of("AWS_REGION", "eu-west-1", "STORE_ENDPOINT", "http://store"));
        assertThat(asked()).contains("--aws-sigv4 aws:amz:eu-west-1:s3 ").contains(" http://store/state?list-type=2");
    }

    /** What curl was given last. */
    private String asked() throws IOException {
        return Files.readString(folder.resolve("asked"));
    }

    /** They hold text of users, and no job but the one that wrote them would ever remove them. */
    @Test
    void aCheckpointsJobLeavesNoneOfTheJobsBeforeIt() throws Exception {
        store(
                "checkpoints",
                key("checkpoints/a/chk-9/_metadata", "2026-01-01T10:00:09Z")
                        + key("checkpoints/b/chk-10/_metadata", "2026-01-01T10:00:10Z"));
        store("savepoints", key("savepoints/savepoint-1/_metadata", "2026-01-01T09:00:00Z"));
        intact("checkpoints/a/chk-9", "checkpoints/b/chk-10", "savepoints/savepoint-1");
        assertThat(run("").output())
                .contains("--fromSavepoint s3://state/checkpoints/b/chk-10 ")
                .contains("removed ");
        assertThat(folder.resolve("state/checkpoints/a")).doesNotExist();
        assertThat(folder.resolve("state/checkpoints/b/chk-10/_metadata")).exists();
        assertThat(folder.resolve("state/savepoints/savepoint-1/_metadata")).exists();
    }

    private record Run(int code, String output) {}

    private void store(String prefix, String keys) throws IOException {
        Files.writeString(
                folder.resolve(prefix),
                "<ListBucketResult><IsTruncated>false</IsTruncated>" + keys + "</ListBucketResult>");
    }

    /** States that are. */
    private void intact(String... names) throws IOException {
        for (String name : names) {
            Path state = Files.createDirectories(folder.resolve("state").resolve(name));
            try (OutputStream out = Files.newOutputStream(state.resolve("_metadata"))) {
                Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(1, List.of(), List.of()), out);
            }
        }
    }

    private static String key(String name, String modified) {
        return "<Contents><Key>" + name + "</Key><LastModified>" + modified + "</LastModified></Contents>";
    }

    private Run run(String from) throws IOException, InterruptedException {
        return run(from, Map.of("STORE_ENDPOINT", "http://store"));
    }

    private Run run(String from, Map<String, String> place) throws IOException, InterruptedException {
        script("curl", """
                echo "$@" >FOLDER/asked
                case "$*" in
                  *" -X PUT "*"/state/started-from/last") # its time is noon, later than all that was saved before
                    while [ "$1" != --data-binary ]; do shift; done
                    printf %s "$2" >FOLDER/noted
                    [ "$(printf %s "$2" | sha256sum | cut -d ' ' -f 1)" = "$(grep -oE '[0-9a-f]{64}' FOLDER/asked)" ] || exit 22
                    echo '<Contents><Key>started-from/last</Key><LastModified>2026-01-01T12:00:00Z</LastModified></Contents>' \
                      >FOLDER/started-from ;;
                  *"/state/started-from/last") cat FOLDER/noted ;;
                  *"prefix=started-from%2F"*) cat FOLDER/started-from 2>/dev/null || true ;;
                  *)
                    f=FOLDER/$(sed -E 's/.*prefix=([a-z]+)%2F.*/\\1/' <<<"${@: -1}")
                    [ -e $f ] || { echo 'the store is away' >&2; exit 7; }
                    cat $f ;;
                esac
                """.replace("FOLDER", folder.toString()));
        script("entrypoint", "echo STARTED \"$@\"\n");
        script(
                "java",
                "while [[ $1 != io.* ]]; do shift; done\n"
                        + "exec \"$REAL_JAVA\" -cp \"$TEST_CLASSES\" \"${@//s3:\\/\\//" + folder + "/}\" > >(sed 's#"
                        + folder + "/#s3://#')\n");
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        RepositoryFiles.root()
                                .resolve("deploy/docker/jobmanager.sh")
                                .toString(),
                        "--store=s3://segments/")
                .redirectErrorStream(true);
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        builder.environment()
                .put("FLINK_ENTRYPOINT", folder.resolve("entrypoint").toString());
        builder.environment()
                .put(
                        "REAL_JAVA",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.environment().put("TEST_CLASSES", System.getProperty("java.class.path"));
        builder.environment().put("FLINK_HOME", folder.toString());
        builder.environment().keySet().removeAll(List.of("AWS_REGION", "STORE_ENDPOINT"));
        builder.environment().putAll(place);
        builder.environment().put("STATE_BUCKET", "state");
        builder.environment().put("AWS_ACCESS_KEY_ID", "id");
        builder.environment().put("AWS_SECRET_ACCESS_KEY", "secret");
        builder.environment().put("TAILRACE_FROM", from);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), output);
    }

    private void script(String name, String body) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/usr/bin/env bash\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
