package io.tailrace.e2e.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.e2e.deploy.PageCommands;
import io.tailrace.jobs.topics.TopicCreation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kafka.admin.ConfigCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials of Kafka are rotated under traffic: no answer is lost, and the first ones are of no use afterwards. */
@Tag("full")
class RotationIT {
    private static final String START = "./tailrace job --bootstrap kafka:9092 --store file:///var/tailrace/store"
            + " --folder /var/tailrace/flink --model llama@1,vocabulary=128256,tokenizer=FINGERPRINT";
    private static final String FIRST = "first";
    private static final String SECOND = "second";

    @TempDir
    private Path folder;

    private SecuredKafka kafka;
    private PageRun run;
    private Traffic traffic;

    @BeforeEach
    void start() throws Exception {
        kafka = SecuredKafka.start(folder.resolve("broker"), folder.resolve("tailrace-data/keys"), false);
        new TopicCreation(kafka.admin()).run("", TopicCreation.DEFAULT_REPLICATION);
        kafka.add(FIRST);
        kafka.login(SECOND);
        kafka.add("admin");
        Map<String, String> places = new LinkedHashMap<>();
        places.put("kafka:9092", kafka.bootstrap());
        places.put("/var/tailrace", folder.resolve("tailrace-data").toString());
        places.put("llama@1,vocabulary=128256,tokenizer=FINGERPRINT", Traffic.MODEL + " --lane-tokens 10000000");
        run = new PageRun(folder, places);
        run.program("kafka-configs.sh", ConfigCommand.class);
        traffic = new Traffic(folder);
    }

    private String file(String user) {
        return kafka.file(user).toString();
    }

    @AfterEach
    void stop() {
        run.close();
        kafka.close();
    }

    @Test
    void kafkasCredentialsAreRotatedUnderTraffic() throws Exception {
        Path store = folder.resolve("tailrace-data/store");
        String audit =
                "./tailrace audit --bootstrap kafka:9092 --store file:///var/tailrace/store --deep --client-config ";
        assertThat(run.exitOf(audit + file(SECOND))).as("not yet a user").isNotZero();
        run.type(START + " --client-config " + file(FIRST));
        traffic.send(kafka.bootstrap(), store, "--client-config", file(FIRST));
        List<String> commands = PageCommands.of("docs/how-to/rotate.md")
                .in("## Kafka's credentials")
                .commands();
        run.type(commands.get(0));
        Traffic.Flow moved = traffic.flow(kafka.bootstrap(), store, "--client-config", file(SECOND));
        assertThat(commands.get(1)).isEqualTo(PageCommands.CTRL_C);
        for (String command : commands.subList(1, commands.size())) {
            run.type(command);
        }
        moved.stop();
        traffic.send(kafka.bootstrap(), store, "--client-config", file(SECOND));
        assertThat(run.exitOf(audit + file(FIRST))).as("no user any more").isNotZero();
        Path json = folder.resolve("audit.json");
        Path ids = Files.write(folder.resolve("acknowledged.txt"), traffic.ids());
        run.type(audit + file(SECOND) + " --json " + json + " --ids " + ids);
        assertThat(Files.readString(json))
                .contains("%,d read by the job's accounts".formatted(traffic.sent()), " 0 lost")
                .contains("%1$,d acknowledged, %1$,d of them on topic".formatted(traffic.sent()))
                .doesNotContainPattern("[1-9][0-9,]* lost");
    }
}
