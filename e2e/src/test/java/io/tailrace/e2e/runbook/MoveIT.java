package io.tailrace.e2e.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.e2e.deploy.PageCommands;
import io.tailrace.e2e.loop.TopicReader;
import io.tailrace.e2e.serving.BrokerProcess;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.local.cluster.Ports;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An installation moves to another Kafka under traffic, and one region goes on for another that is gone: each answer is admitted once. */
@Tag("full")
class MoveIT {
    private static final String START = "./tailrace job --bootstrap kafka:9092 --store file:///var/tailrace/store"
            + " --folder /var/tailrace/flink --model llama@1,vocabulary=128256,tokenizer=FINGERPRINT";
    private static final Duration MIRRORED_MAX = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private BrokerProcess before;
    private EmbeddedBroker after;
    private PageRun run;
    private Traffic traffic;

    @BeforeEach
    void start() throws Exception {
        before = BrokerProcess.start(folder.resolve("before"));
        after = EmbeddedBroker.start(folder.resolve("after"), Ports.free(1)[0]);
        Files.createDirectories(folder.resolve("second"));
        Files.createDirectories(folder.resolve("tailrace-data"));
        Map<String, String> places = new LinkedHashMap<>();
        places.put("new-kafka:9092", after.bootstrap());
        places.put("kafka:9092", before.bootstrap());
        places.put("/var/tailrace", folder.resolve("tailrace-data").toString());
        places.put("/second", folder.resolve("second").toString());
        places.put("/DAY", "/tuesday");
        places.put("llama@1,vocabulary=128256,tokenizer=FINGERPRINT", Traffic.MODEL + " --lane-tokens 10000000");
        run = new PageRun(folder, places);
        run.mirrors("deploy/kafka/mirror.properties");
        traffic = new Traffic(folder);
    }

    @AfterEach
    void stop() {
        run.close();
        after.close();
        before.close();
    }

    private static PageCommands page(String name, String section) {
        return PageCommands.of("docs/how-to/" + name + ".md").in(section);
    }

    private Path store() {
        return folder.resolve("tailrace-data/store");
    }

    /** That so many answers are on a topic generations; what was mirrored twice counts once. */
    private void awaitMirrored(int answers) throws Exception {
        Awaitility.await("the mirror to have " + answers)
                .atMost(MIRRORED_MAX)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> mirrored().size() >= answers);
        assertThat(mirrored()).hasSize(answers);
    }

    private Set<String> mirrored() throws Exception {
        return new TopicReader(after.bootstrap())
                .read(Topic.GENERATIONS, RecordCodec.GENERATION).stream()
                        .map(Generation::getRequestId)
                        .collect(Collectors.toSet());
    }

    /** By the newest account of each lane on the second Kafka. */
    private long admitted() throws Exception {
        Map<String, Long> admitted = new HashMap<>();
        for (Event event : new TopicReader(after.bootstrap()).read(Topic.EVENTS, RecordCodec.EVENT)) {
            if (event.getKind() == EventKind.ACCOUNTING && event.getLane() != null) {
                admitted.put(
                        LaneId.of(event.getLane()).toString(),
                        event.getNumbers().get("recordsAdmitted"));
            }
        }
        return admitted.values().stream().mapToLong(Long::longValue).sum();
    }

    private void awaitEachAdmittedOnce(int answers) throws Exception {
        Awaitility.await("the accounts to name all")
                .atMost(MIRRORED_MAX)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> admitted() >= answers);
        assertThat(admitted()).isEqualTo(answers);
    }

    /** @param store as the page names it */
    private String audit(String store, String... more) throws Exception {
        Path json = folder.resolve("audit.json");
        run.type("./tailrace audit --bootstrap new-kafka:9092 --store " + store + " --deep --json " + json + " "
                + String.join(" ", more));
        return Files.readString(json);
    }

    private Path ids() throws IOException {
        return Files.write(folder.resolve("acknowledged.txt"), traffic.ids());
    }

    @Test
    void anInstallationMovesUnderTrafficAndEachAnswerIsAdmittedOnce() throws Exception {
        run.type(START);
        traffic.send(before.bootstrap(), store());
        run.type("./tailrace audit --bootstrap kafka:9092 --store file:///var/tailrace/store");
        run.type("./tailrace delete --bootstrap kafka:9092 --scope borealis");
        run.type(page("move-kafka", "## Mirror"));
        awaitMirrored(traffic.sent());
        Traffic.Flow old = traffic.flow(before.bootstrap(), store());
        run.type(page("move-kafka", "## Move"));
        old.stop();
        traffic.send(after.bootstrap(), store());
        awaitMirrored(traffic.sent());
        awaitEachAdmittedOnce(traffic.sent());
        run.type(page("move-kafka", "## End"));
        before.kill();
        traffic.send(after.bootstrap(), store());
        awaitEachAdmittedOnce(traffic.sent());
        assertThat(audit("file:///var/tailrace/store", "--ids", ids().toString()))
                .contains(" of them on topics before this one", " 0 lost", "none waits", "\"acknowledged\"")
                .doesNotContainPattern("[1-9][0-9,]* lost")
                .doesNotContain("unknown");
    }

    @Test
    void aSecondRegionGoesOnForOneThatIsGoneAndSaysWhatTheMirrorHadNot() throws Exception {
        run.type(START);
        run.type(page("lose-a-region", "## Before").commands().get(0));
        run.type(page("lose-a-region", "## Before").commands().get(1));
        traffic.send(before.bootstrap(), store());
        List<String> copying = page("lose-a-region", "## Before").commands();
        for (String command : copying.subList(2, copying.size())) {
            run.type(command);
        }
        traffic.send(before.bootstrap(), store());
        awaitMirrored(traffic.sent());
        int mirrored = traffic.sent();
        run.type(PageCommands.CTRL_C + " mirror");
        traffic.send(before.bootstrap(), store());
        run.killJob();
        before.kill();
        remove(folder.resolve("tailrace-data"));
        List<String> commands =
                page("lose-a-region", "## Go on in the second region").commands();
        assertThat(commands.get(0)).isEqualTo(PageCommands.CTRL_C + " mirror");
        for (String command : commands.subList(1, commands.size())) {
            run.type(command);
        }
        awaitEachAdmittedOnce(mirrored);
        Path second = folder.resolve("second/tuesday/store");
        assertThat(audit("file:///second/DAY/store")).contains(" 0 lost").doesNotContainPattern("[1-9][0-9,]* lost");
        ids();
        String asked = page("lose-a-region", "## What may be lost").commands().get(0);
        assertThat(run.exitOf(asked)).isEqualTo(1);
        assertThat(run.transcript())
                .containsPattern(
                        "%,d acknowledged, %,d of them on topic generations, 0 more in the newest versions; %,d missing"
                                .formatted(traffic.sent(), mirrored, traffic.sent() - mirrored));
        traffic.send(after.bootstrap(), second);
        awaitEachAdmittedOnce(mirrored + Traffic.REQUESTS);
        audit("file:///second/DAY/store");
    }

    private static void remove(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
