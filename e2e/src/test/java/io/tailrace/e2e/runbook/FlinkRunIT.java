package io.tailrace.e2e.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.e2e.deploy.PageCommands;
import io.tailrace.e2e.deploy.RepositoryFiles;
import io.tailrace.local.cluster.LocalCluster;
import io.tailrace.local.cluster.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job's jar on a Flink cluster, by Flink's own command: run, stopped with a savepoint and run again, as the page about upgrades says. */
@Tag("full")
class FlinkRunIT {
    private static final Path JAR = RepositoryFiles.root().resolve("jobs/target/tailrace-job.jar");
    /** Of the job, as the page leaves them out. */
    private static final String ARGUMENTS = "--bootstrap ... --store ... --model ...";

    private static final String LANE_TOKENS = "10000000"; // what a merge of has room in the cluster's heap

    @TempDir
    private Path folder;

    @Test
    void theJarIsRunStoppedAndRunAgainAndNothingIsLost() throws Exception {
        assertThat(JAR).as("what mvn package makes").exists();
        Files.createSymbolicLink(folder.resolve(JAR.getFileName()), JAR);
        int[] ports = Ports.free(2);
        LocalCluster.Options cluster = new LocalCluster.Options(
                folder.resolve("cluster"),
                RepositoryFiles.root().resolve("deploy/flink"),
                1,
                ports[0],
                ports[1],
                List.of());
        try (LocalCluster flink = start(cluster);
                PageRun run = new PageRun(folder, places(flink, cluster))) {
            run.flink("http://127.0.0.1:" + ports[0]);
            run.type("flink run -d tailrace-job.jar " + ARGUMENTS);
            Traffic traffic = new Traffic(folder);
            Path store = folder.resolve("cluster/store");
            traffic.send(flink.bootstrap(), store);
            PageCommands page = PageCommands.of("docs/how-to/upgrade.md").in("## Stop and go on");
            List<String> byFlink = page.commands().stream()
                    .filter(command -> command.startsWith("flink "))
                    .toList();
            assertThat(byFlink).hasSize(2);
            for (String command : byFlink) {
                run.type(command);
            }
            traffic.send(flink.bootstrap(), store);
            run.type("./tailrace audit --bootstrap kafka:9092 --store file:///var/tailrace/store --deep");
            assertThat(run.transcript()).contains(traffic.sent() + " read by the job's accounts");
        }
    }

    private static LocalCluster start(LocalCluster.Options cluster) throws IOException {
        return LocalCluster.start(cluster, System.out::println);
    }

    private Map<String, String> places(LocalCluster flink, LocalCluster.Options options) {
        Map<String, String> places = new HashMap<>();
        places.put(
                ARGUMENTS,
                "--bootstrap %s --store %s --model %s --lane-tokens %s"
                        .formatted(flink.bootstrap(), options.store(), Traffic.MODEL, LANE_TOKENS));
        places.put("kafka:9092", flink.bootstrap());
        places.put("file:///var/tailrace/store", options.store());
        places.put(
                "s3://tailrace-state/savepoints",
                folder.resolve("savepoints").toUri().toString());
        return places;
    }
}
