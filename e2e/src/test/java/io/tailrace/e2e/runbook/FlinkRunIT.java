package io.tailrace.e2e.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.e2e.deploy.MavenClassPath;
import io.tailrace.e2e.deploy.PageCommands;
import io.tailrace.e2e.deploy.RepositoryFiles;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.local.cluster.ChildProcess;
import io.tailrace.local.cluster.FlinkParts;
import io.tailrace.local.cluster.FlinkPlace;
import io.tailrace.local.cluster.FlinkSettings;
import io.tailrace.local.cluster.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job's jar on a Flink cluster that has Flink alone on its class path: run, stopped with a savepoint and run again by Flink's own command. */
@Tag("full")
class FlinkRunIT {
    private static final Path JAR = RepositoryFiles.root().resolve("jobs/target/tailrace-job.jar");
    /** Of the job, as the page leaves them out. */
    private static final String ARGUMENTS = "--bootstrap ... --store ... --model ...";

    private static final String LANE_TOKENS = "10000000"; // what a merge of has room in that heap
    private static final int HEAP_MEGABYTES = 768;

    @TempDir
    private Path folder;

    private final List<ChildProcess> processes = new ArrayList<>();
    private EmbeddedBroker broker;
    private FlinkPlace place;
    private String classPath;

    @BeforeEach
    void start() throws Exception {
        assertThat(JAR).as("what mvn package makes").exists();
        Files.createSymbolicLink(folder.resolve(JAR.getFileName()), JAR);
        classPath = MavenClassPath.of("e2e/src/test/flink/pom.xml", folder);
        int[] ports = Ports.free(3);
        broker = EmbeddedBroker.start(folder.resolve("broker"), ports[0]);
        place = new FlinkPlace(
                made("conf"), folder.resolve("state"), made("tasks"), ports[1], ports[2], HEAP_MEGABYTES);
        Path shipped = RepositoryFiles.root().resolve("deploy/flink");
        FlinkSettings.write(shipped.resolve("config.yaml"), place.configuration());
        Files.copy(shipped.resolve("log4j2.properties"), place.configuration().resolve("log4j2.properties"));
        FlinkParts parts = new FlinkParts(place);
        start(parts.jobManager("jobmanager"));
        start(parts.taskManager("taskmanager"));
    }

    private Path made(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private void start(FlinkParts.Part part) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dlog4j2.configurationFile=" + place.configuration().resolve("log4j2.properties"),
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED"));
        words.addAll(part.jvm());
        words.addAll(List.of("-cp", classPath, part.main().getName()));
        words.addAll(part.arguments());
        ChildProcess process = new ChildProcess(
                new ChildProcess.Command(part.name(), words, Map.of(), folder, folder.resolve(part.name() + ".log")));
        processes.add(process);
        process.start();
    }

    @AfterEach
    void stop() {
        processes.forEach(ChildProcess::close);
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void theJarIsRunStoppedAndRunAgainAndNothingIsLost() throws Exception {
        Path store = folder.resolve("store");
        Map<String, String> places = new LinkedHashMap<>();
        places.put(
                ARGUMENTS,
                "--bootstrap %s --store %s --model %s --lane-tokens %s"
                        .formatted(broker.bootstrap(), store.toUri(), Traffic.MODEL, LANE_TOKENS));
        places.put("kafka:9092", broker.bootstrap());
        places.put("file:///var/tailrace/store", store.toUri().toString());
        places.put(
                "s3://tailrace-state/savepoints",
                folder.resolve("savepoints").toUri().toString());
        try (PageRun run = new PageRun(folder, places)) {
            run.flink("http://127.0.0.1:" + place.restPort(), classPath);
            run.type("./tailrace topics create --bootstrap kafka:9092");
            run.type("flink run -d tailrace-job.jar " + ARGUMENTS);
            Traffic traffic = new Traffic(folder);
            traffic.send(broker.bootstrap(), store);
            PageCommands page = PageCommands.of("docs/how-to/upgrade.md").in("## Stop and go on");
            List<String> byFlink = page.commands().stream()
                    .filter(command -> command.startsWith("flink "))
                    .toList();
            assertThat(byFlink).hasSize(2);
            for (String command : byFlink) {
                run.type(command);
            }
            traffic.send(broker.bootstrap(), store);
            run.type("./tailrace audit --bootstrap kafka:9092 --store file:///var/tailrace/store --deep");
            assertThat(run.transcript()).contains(traffic.sent() + " read by the job's accounts");
        }
    }
}
