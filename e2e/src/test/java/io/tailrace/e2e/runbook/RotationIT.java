package io.tailrace.e2e.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.e2e.deploy.PageCommands;
import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.local.cluster.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kafka.admin.ConfigCommand;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials of Kafka are rotated under traffic: no answer is lost, and the first ones are of no use afterwards. */
@Tag("full")
class RotationIT {
    private static final String START = "./tailrace job --bootstrap kafka:9092 --store file:///var/tailrace/store"
            + " --folder /var/tailrace/flink --model llama@1,vocabulary=128256,tokenizer=llama-3.1";
    private static final String LOGIN = "org.apache.kafka.common.security.scram.ScramLoginModule required";
    private static final int ITERATIONS = 4_096;

    @TempDir
    private Path folder;

    private EmbeddedBroker broker;
    private String secured;
    private PageRun run;
    private Traffic traffic;

    @BeforeEach
    void start() throws Exception {
        int[] ports = Ports.free(2);
        secured = "127.0.0.1:" + ports[1];
        broker = EmbeddedBroker.start(
                folder.resolve("broker"),
                ports[0],
                List.of(new EmbeddedBroker.Listener("SECURED", ports[1], ports[1], "SASL_PLAINTEXT")),
                Map.of(
                        "sasl.enabled.mechanisms",
                        "SCRAM-SHA-512",
                        "listener.name.secured.scram-sha-512.sasl.jaas.config",
                        LOGIN + ";"));
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.bootstrap()))) {
            new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
            admin.alterUserScramCredentials(
                            List.of(user("tailrace-first", "first-secret"), user("admin", "admin-secret")))
                    .all()
                    .get();
        }
        Files.createDirectories(keys());
        login("first", "tailrace-first", "first-secret");
        login("second", "tailrace-second", "second-secret");
        login("admin", "admin", "admin-secret");
        Map<String, String> places = new LinkedHashMap<>();
        places.put("kafka:9092", secured);
        places.put("/var/tailrace", folder.resolve("tailrace-data").toString());
        places.put("llama@1,vocabulary=128256,tokenizer=llama-3.1", Traffic.MODEL + " --lane-tokens 10000000");
        run = new PageRun(folder, places);
        run.kafka("kafka-configs.sh", ConfigCommand.class);
        traffic = new Traffic(folder);
    }

    private static UserScramCredentialUpsertion user(String name, String password) {
        return new UserScramCredentialUpsertion(
                name, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS), password);
    }

    private Path keys() {
        return folder.resolve("tailrace-data/keys");
    }

    private String file(String name) {
        return keys().resolve(name + ".properties").toString();
    }

    private void login(String name, String user, String password) throws Exception {
        Files.writeString(Path.of(file(name)), """
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=SCRAM-SHA-512
                sasl.jaas.config=%s username="%s" password="%s";
                """.formatted(LOGIN, user, password));
    }

    @AfterEach
    void stop() {
        run.close();
        broker.close();
    }

    @Test
    void kafkasCredentialsAreRotatedUnderTraffic() throws Exception {
        Path store = folder.resolve("tailrace-data/store");
        String audit =
                "./tailrace audit --bootstrap kafka:9092 --store file:///var/tailrace/store --deep --client-config ";
        assertThat(run.exitOf(audit + file("second"))).as("not yet a user").isNotZero();
        run.type(START + " --client-config " + file("first"));
        traffic.send(secured, store, "--client-config", file("first"));
        List<String> commands = PageCommands.of("docs/how-to/rotate.md")
                .in("## Kafka's credentials")
                .commands();
        run.type(commands.get(0));
        Traffic.Flow moved = traffic.flow(secured, store, "--client-config", file("second"));
        assertThat(commands.get(1)).isEqualTo(PageCommands.CTRL_C);
        for (String command : commands.subList(1, commands.size())) {
            run.type(command);
        }
        moved.stop();
        traffic.send(secured, store, "--client-config", file("second"));
        assertThat(run.exitOf(audit + file("first"))).as("no user any more").isNotZero();
        Path json = folder.resolve("audit.json");
        Path ids = Files.write(folder.resolve("acknowledged.txt"), traffic.ids());
        run.type(audit + file("second") + " --json " + json + " --ids " + ids);
        assertThat(Files.readString(json))
                .contains("%,d read by the job's accounts".formatted(traffic.sent()), " 0 lost")
                .contains("%1$,d acknowledged, %1$,d of them on topic".formatted(traffic.sent()))
                .doesNotContainPattern("[1-9][0-9,]* lost");
    }
}
