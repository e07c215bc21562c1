package io.tailrace.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.e2e.deploy.RepositoryFiles;
import io.tailrace.local.cluster.ChildProcess;
import io.tailrace.local.cluster.LocalCluster;
import io.tailrace.local.cluster.Ports;
import io.tailrace.terminal.ExitCodes;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Restarts and rescaling on real processes: the books close and nothing is lost. */
@Tag("full")
class LocalClusterIT {
    private static final String MODEL = "synthetic@1,vocabulary=32768,tokenizer=synthetic-words";
    private static final Duration MAX = Duration.ofMinutes(2);
    private static final int REQUESTS = 60;

    @TempDir
    private Path folder;

    private final int[] ports = Ports.free(2);

    @Test
    void aKilledTaskManagerAndAnotherNumberOfThemLoseNothing() throws Exception {
        try (LocalCluster cluster = start(2)) {
            runs(cluster);
            send(cluster, "first");
            ChildProcess taskManager = cluster.processes().get(2);
            long before = taskManager.pid();
            taskManager.kill();
            send(cluster, "second");
            runs(cluster);
            assertThat(taskManager.pid()).isNotEqualTo(before);
            audited(cluster, 2 * REQUESTS);
            assertThat(cluster.stop()).contains("savepoint");
        }
        try (LocalCluster cluster = start(3)) {
            runs(cluster);
            assertThat(cluster.processes()).hasSize(1 + 3);
            send(cluster, "third");
            audited(cluster, 3 * REQUESTS);
        }
    }

    private LocalCluster start(int taskManagers) throws Exception {
        return LocalCluster.start(
                new LocalCluster.Options(
                        folder.resolve("cluster"),
                        RepositoryFiles.root().resolve("deploy/flink"),
                        taskManagers,
                        ports[0],
                        ports[1],
                        List.of(MODEL)),
                System.out::println);
    }

    private static void runs(LocalCluster cluster) {
        Awaitility.await("the job runs")
                .atMost(MAX)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    cluster.tend();
                    return cluster.running();
                });
    }

    private void send(LocalCluster cluster, String name) {
        String file = folder.resolve(name + ".jsonl.gz").toString();
        String requests = Integer.toString(REQUESTS);
        assertThat(tailrace("traffic", "--requests", requests, "--seed", "7", "--id-prefix", name + "-", file))
                .isEqualTo(ExitCodes.DONE);
        assertThat(tailrace(
                        "load",
                        "--name",
                        name,
                        "--bootstrap",
                        cluster.bootstrap(),
                        "--store",
                        store(),
                        "--model",
                        MODEL,
                        "--input",
                        file,
                        "--cache",
                        folder.resolve("cache").toString(),
                        "--pace",
                        "20",
                        "--port",
                        "-1"))
                .isEqualTo(ExitCodes.DONE);
    }

    private String store() {
        return folder.resolve("cluster/store").toUri().toString();
    }

    /** Every answer that was sent is on the topic and in a version, and all accounts close. */
    private void audited(LocalCluster cluster, int sent) {
        Path json = folder.resolve("audit.json");
        Awaitility.await("a green audit of " + sent + " records")
                .atMost(MAX)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    cluster.tend();
                    int exit = tailrace(
                            "audit",
                            "--bootstrap",
                            cluster.bootstrap(),
                            "--store",
                            store(),
                            "--deep",
                            "--json",
                            json.toString());
                    return exit == ExitCodes.DONE
                            && Files.readString(json).contains(sent + " read by the job's accounts");
                });
    }

    private static int tailrace(String... arguments) {
        CommandLine tailrace = Tailrace.commandLine();
        tailrace.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        return tailrace.execute(arguments);
    }
}
