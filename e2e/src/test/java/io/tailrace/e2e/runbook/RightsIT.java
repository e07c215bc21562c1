package io.tailrace.e2e.runbook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FreshFrom;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.report.Reporter;
import io.tailrace.e2e.deploy.RepositoryFiles;
import io.tailrace.schemas.Topic;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An installation whose brokers give each principal the rights that the page on security says are enough, and no others. */
@Tag("full")
class RightsIT {
    private static final String PAGE = "docs/how-to/secure.md";
    private static final Pattern NAMED = Pattern.compile("`([a-z]+)`");
    private static final String AT = " --bootstrap kafka:9092 --client-config ";
    private static final String LANE = "synthetic@1/acme";
    private static final String PARTY = "party";

    @TempDir
    private Path folder;

    private SecuredKafka kafka;
    private PageRun run;
    private Traffic traffic;

    @BeforeEach
    void start() throws Exception {
        kafka = SecuredKafka.start(folder.resolve("broker"), folder.resolve("keys"), true);
        for (String name : List.of("producer", "job", "worker", "operator")) {
            kafka.add(name);
            rights(name, AclOperation.READ, column(name, 2));
            rights(name, AclOperation.WRITE, column(name, 3));
        }
        kafka.allow("job", ResourceType.TRANSACTIONAL_ID, PatternType.PREFIXED, "tailrace-index", AclOperation.WRITE);
        kafka.allow("job", ResourceType.GROUP, PatternType.PREFIXED, "tailrace-index", AclOperation.READ);
        Map<String, String> places = new LinkedHashMap<>();
        places.put("kafka:9092", kafka.bootstrap());
        run = new PageRun(folder, places);
        traffic = new Traffic(folder);
    }

    @AfterEach
    void stop() {
        run.close();
        kafka.close();
    }

    /** A cell of the page's table of rights. */
    private static String column(String principal, int at) {
        return RepositoryFiles.text(PAGE)
                .lines()
                .map(line -> line.split("\\|", -1))
                .filter(cells -> cells.length > at
                        && List.of(cells[1].strip().split(", ")).contains(principal))
                .map(cells -> cells[at])
                .findFirst()
                .orElseThrow();
    }

    private void rights(String principal, AclOperation operation, String cell) throws Exception {
        Stream<String> topics = cell.strip().startsWith("all")
                ? Stream.of(Topic.values()).map(topic -> topic.name(""))
                : NAMED.matcher(cell).results().map((MatchResult named) -> named.group(1));
        for (String topic : topics.toList()) {
            kafka.allow(principal, ResourceType.TOPIC, PatternType.LITERAL, topic, operation);
        }
    }

    private void mayMakeTopics(String operator) throws Exception {
        for (String topic : Stream.concat(
                        Stream.of(Topic.values()).map(each -> each.name("")),
                        Stream.of("generations-" + PARTY, "outcomes-" + PARTY))
                .toList()) {
            kafka.allow(
                    operator,
                    ResourceType.TOPIC,
                    PatternType.LITERAL,
                    topic,
                    AclOperation.CREATE,
                    AclOperation.DESCRIBE_CONFIGS,
                    AclOperation.ALTER_CONFIGS);
        }
    }

    private String as(String principal) {
        return AT + kafka.file(principal);
    }

    @Test
    void theRightsOfThePageAreEnoughAndNoOthersAreNeeded() throws Exception {
        assertThat(run.exitOf("./tailrace topics create" + as("worker")))
                .as("a worker makes no topics")
                .isNotZero();
        mayMakeTopics("operator");
        run.type("./tailrace topics create --bound-topics " + PARTY + as("operator"));
        kafka.add(PARTY);
        rights(PARTY, AclOperation.READ, column("a party's worker", 2));
        rights(PARTY, AclOperation.WRITE, column("a party's worker", 3));
        for (String bound : List.of("generations-" + PARTY, "outcomes-" + PARTY)) {
            kafka.allow(PARTY, ResourceType.TOPIC, PatternType.LITERAL, bound, AclOperation.WRITE);
            kafka.allow("job", ResourceType.TOPIC, PatternType.LITERAL, bound, AclOperation.READ);
            kafka.allow("operator", ResourceType.TOPIC, PatternType.LITERAL, bound, AclOperation.READ);
        }
        Path store = folder.resolve("store");
        run.type("./tailrace job --store %s --folder %s --model %s --lane-tokens 10000000 --bound-topics %s=%s"
                        .formatted(store.toUri(), folder.resolve("flink"), Traffic.MODEL, PARTY, PARTY)
                + as("job"));
        traffic.send(
                kafka.bootstrap(),
                store,
                "--client-config",
                kafka.file("worker").toString());
        run.type("./tailrace audit --deep --store " + store.toUri() + as("operator"));
        for (String command : List.of(
                "lanes",
                "workers --lane " + LANE,
                "outcomes --lane " + LANE,
                "learning --lane " + LANE,
                "events",
                "rejections",
                "generation " + traffic.ids().get(0),
                "snapshots list --lane " + LANE,
                "snapshots pin --wait-seconds 0 --lane " + LANE,
                "snapshots unpin --lane " + LANE,
                "delete --wait-seconds 60 --scope acme")) {
            run.type("./tailrace " + command + as("operator") + (command.contains(" pin ") ? " newest" : ""));
        }
        run.type("./tailrace audit --deep --store " + store.toUri() + as("operator"));

        assertThat(run.exitOf("./tailrace delete --wait-seconds 0 --scope acme" + as("worker")))
                .as("a worker gives no commands")
                .isNotZero();
        writes("producer", "generations");
        writes("worker", "generations");
        writes(PARTY, "generations-" + PARTY);
        for (String topic :
                List.of("control", "snapshots", "admitted", "events", "rejections", "generations-" + PARTY)) {
            writesNot("worker", topic);
            writesNot("producer", topic);
        }
        readsNot(PARTY, "admitted");
        followsBySnapshotsAlone(PARTY, store);
        writesNot(PARTY, "generations");
        writesNot(PARTY, "outcomes");
        writesNot("operator", "snapshots");
        Path json = Files.createTempFile(folder, "audit", ".json");
        run.type("./tailrace audit --store " + store.toUri() + " --json " + json + as("operator"));
        assertThat(Files.readString(json))
                .contains("%,d read by the job's accounts".formatted(traffic.sent() + 3))
                .doesNotContainPattern("[1-9][0-9,]* lost");
    }

    /** Who may not hear others' answers, and does not ask for them, knows every lane that was announced. */
    private void followsBySnapshotsAlone(String party, Path store) throws Exception {
        Map<String, String> login = new LinkedHashMap<>();
        kafka.client(party).forEach((key, value) -> login.put(key, String.valueOf(value)));
        FollowOptions follow =
                FollowOptions.of(store.toUri(), folder.resolve("party")).withFreshFrom(FreshFrom.OWN);
        ReportingOptions reporting = new ReportingOptions(
                new KafkaAccess(kafka.bootstrap(), "", login),
                Optional.of(party),
                Optional.empty(),
                Reporter.SPOOL_BYTES_MIN,
                true,
                Duration.ofSeconds(10));
        ServedModel model = new ServedModel("synthetic", "1", 32_768, "synthetic-words");
        try (TailraceClient client = TailraceClient.open(
                new ClientOptions(party, "cpu", model, follow, Optional.empty(), Optional.of(reporting)))) {
            client.start();
            Awaitility.await("a party's client to be caught up")
                    .atMost(Duration.ofMinutes(1))
                    .until(client::caughtUp);
            assertThat(client.live()).isTrue();
        }
    }

    private void readsNot(String principal, String topic) throws Exception {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                kafka.client(principal), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            assertThatThrownBy(() -> {
                        consumer.seekToBeginning(consumer.assignment());
                        for (int look = 0; look < 10; look++) {
                            consumer.poll(Duration.ofSeconds(1));
                        }
                    })
                    .as("%s, topic %s", principal, topic)
                    .isInstanceOf(TopicAuthorizationException.class);
        }
    }

    private void writes(String principal, String topic) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(principal)) {
            producer.send(junk(topic)).get();
        }
    }

    private void writesNot(String principal, String topic) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(principal)) {
            assertThatThrownBy(() -> producer.send(junk(topic)).get())
                    .as("%s, topic %s", principal, topic)
                    .rootCause()
                    .isInstanceOf(TopicAuthorizationException.class);
        }
    }

    private KafkaProducer<byte[], byte[]> producer(String principal) throws Exception {
        return new KafkaProducer<>(kafka.client(principal), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static ProducerRecord<byte[], byte[]> junk(String topic) {
        return new ProducerRecord<>(topic, null, "junk".getBytes(StandardCharsets.UTF_8));
    }
}
