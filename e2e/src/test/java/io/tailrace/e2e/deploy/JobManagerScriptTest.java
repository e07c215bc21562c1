package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JobManager's container starts from. The store is a script in the place of curl. */
class JobManagerScriptTest {
    @TempDir
    Path folder;

    @Test
    void theNewestCompletedCheckpointIsGoneOnFrom() throws Exception {
        store(
                "checkpoints",
                key("checkpoints/a/chk-9/_metadata", "2026-01-01T10:00:09Z")
                        + key("checkpoints/a/chk-10/_metadata", "2026-01-01T10:00:10Z")
                        + key("checkpoints/a/chk-11/part-0", "2026-01-01T10:00:11Z"));
        store("savepoints", key("savepoints/savepoint-1/_metadata", "2026-01-01T09:00:00Z"));
        assertThat(run("").output())
                .contains("starting from s3://state/checkpoints/a/chk-10")
                .contains("STARTED standalone-job --fromSavepoint s3://state/checkpoints/a/chk-10 --job-classname")
                .endsWith("--store=s3://segments/\n");
    }

    @Test
    void aJobThatWasStoppedWithASavepointGoesOnFromIt() throws Exception {
        store("checkpoints", key("checkpoints/a/shared/x", "2026-01-01T10:00:09Z"));
        store("savepoints", key("savepoints/savepoint-1/_metadata", "2026-01-01T09:00:00Z"));
        assertThat(run("").output()).contains("--fromSavepoint s3://state/savepoints/savepoint-1 ");
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

    /** Empty state would withdraw every version that workers serve. */
    @Test
    void aStoreThatDoesNotAnswerStartsNothing() throws Exception {
        store("checkpoints", "");
        Run run = run("");
        assertThat(run.output()).doesNotContain("STARTED").contains("the store is away");
        assertThat(run.code()).isNotZero();
    }

    private record Run(int code, String output) {}

    private void store(String prefix, String keys) throws IOException {
        Files.writeString(
                folder.resolve(prefix),
                "<ListBucketResult><IsTruncated>false</IsTruncated>" + keys + "</ListBucketResult>");
    }

    private static String key(String name, String modified) {
        return "<Contents><Key>" + name + "</Key><LastModified>" + modified + "</LastModified></Contents>";
    }

    private Run run(String from) throws IOException, InterruptedException {
        script(
                "curl",
                "f=" + folder + "/$(sed -E 's/.*prefix=([a-z]+)%2F.*/\\1/' <<<\"${@: -1}\")\n"
                        + "[ -e $f ] || { echo 'the store is away' >&2; exit 7; }\ncat $f\n");
        script("entrypoint", "echo STARTED \"$@\"\n");
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
        builder.environment().put("STORE_ENDPOINT", "http://store");
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
