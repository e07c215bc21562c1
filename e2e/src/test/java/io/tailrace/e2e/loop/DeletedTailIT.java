package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was kept of a deleted request's prompt goes with its answer: its tail, its signature, and which tokens the answer copied. From served
 * versions and from fresh answers it goes within what is promised of deletes, from the disks, the job's own copies among them, when what is old
 * is swept, from topic admitted at the end of its retention. What was kept of another request stays.
 */
@Tag("full")
class DeletedTailIT {
    private static final long SEED = 20_261_126L;
    private static final String SCOPE = "alpha";
    private static final int GONE = 0;
    private static final int KEPT = 1;
    private static final int LATER = 2;
    private static final int LAST = 3;
    private static final int REQUESTS = 4;
    private static final PromptCanaries CANARIES = new PromptCanaries(Fleet.CANARIES_FROM, REQUESTS, 20);
    private static final Duration DELETED_MAX = Duration.ofSeconds(60);
    private static final Duration SWEPT_MAX = Duration.ofMinutes(4);
    private static final String SCALED_MILLIS = "1000";

    @TempDir
    static Path folder;

    private final Random random = new Random(SEED);
    private final int[][] answers = new int[REQUESTS][];
    /** Null until the request is made. */
    private final PromptTraces[] traces = new PromptTraces[REQUESTS];

    private LoopUnderLoad loop;
    private TopicReader topics;

    @Test
    void whatWasKeptOfADeletedRequestsPromptGoesWithItsAnswer() throws Exception {
        try (LoopUnderLoad started = LoopUnderLoad.start(LoopUnderLoad.options(folder.resolve("loop"), Fleet.MODEL)
                        .withJobArguments("--shards", "2", "--delete-seconds", "20", "--sweep-grace-seconds", "1"));
                LoopObserver observer = started.observe();
                ClientDrafts cutOff = withoutStore("cut-off", started)) {
            loop = started;
            topics = new TopicReader(loop.loop().bootstrap());
            Fleet fleet = new Fleet(loop, observer, SEED);
            LoadWorker worker = loop.addWorker("worker");
            worker.serve(request(fleet, "gone", GONE));
            worker.serve(request(fleet, "kept", KEPT));
            fleet.awaitSettled();
            fleet.awaitLoaded(worker, SCOPE);
            awaitFresh(cutOff, GONE);
            assertThat(inServedFiles()).containsAll(kept(GONE)).containsAll(kept(KEPT));
            assertThat(inTopic(Topic.ADMITTED)).containsAll(tail(GONE)).contains(signature(GONE));

            delete("gone");
            Awaitility.await("no served version with anything of it")
                    .atMost(DELETED_MAX)
                    .untilAsserted(() -> assertThat(inServedFiles()).isEqualTo(kept(KEPT)));
            try (ClientDrafts late = withoutStore("late", loop)) {
                worker.serve(request(fleet, "later", LATER));
                awaitFresh(cutOff, LATER);
                awaitFresh(late, LATER);
                Awaitility.await("commands").atMost(DELETED_MAX).until(late::caughtUp);
                admitAgain(GONE);
                worker.serve(request(fleet, "last", LAST));
                awaitFresh(cutOff, LAST);
                awaitFresh(late, LAST);
                assertThat(freshBehind(cutOff, GONE)).as("before and after").isEmpty();
                assertThat(freshBehind(late, GONE)).as("since after the delete").isEmpty();
            }
            Awaitility.await("no file with anything of it").atMost(SWEPT_MAX).untilAsserted(() -> {
                worker.serve(fleet.request("more-" + random.nextInt(), SCOPE));
                try (CanaryWatch watch = new CanaryWatch(loop.loop().bootstrap(), this::keptIn, folder)) {
                    assertThat(watch.now())
                            .allSatisfy((place, found) ->
                                    assertThat(found).as(place).doesNotContainAnyElementsOf(kept(GONE)));
                }
            });
            requireAdmittedToForget();
        }
    }

    /** As a job that goes on from a checkpoint from before the delete may have done just before it heard of it. */
    private void admitAgain(int number) throws Exception {
        ConsumerRecord<byte[], byte[]> admitted = topics.readRaw(Topic.ADMITTED).stream()
                .filter(record -> CANARIES.in(record.value()).containsAll(tail(number)))
                .findFirst()
                .orElseThrow();
        Map<String, Object> settings = Map.of("bootstrap.servers", loop.loop().bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            admitted.topic(), admitted.partition(), admitted.key(), admitted.value()))
                    .get();
        }
    }

    /** Its retention, of which a broker of the same data has a second instead of ten minutes. */
    private void requireAdmittedToForget() throws Exception {
        String[] address = loop.loop().bootstrap().split(":", -1);
        loop.loop().stopBroker();
        Map<String, String> retention =
                Map.of("log.retention.check.interval.ms", "200", "log.initial.task.delay.ms", "200");
        try (EmbeddedBroker broker = EmbeddedBroker.start(
                        folder.resolve("loop").resolve("kafka"), Integer.parseInt(address[1]), List.of(), retention);
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            ConfigResource admitted = new ConfigResource(ConfigResource.Type.TOPIC, Topic.ADMITTED.name(""));
            assertThat(Topic.ADMITTED.settings())
                    .containsEntry("retention.ms", "600000")
                    .containsEntry("segment.ms", "600000");
            admin.incrementalAlterConfigs(Map.of(admitted, List.of(scaled("retention.ms"), scaled("segment.ms"))))
                    .all()
                    .get();
            Awaitility.await("no record with anything of a prompt")
                    .atMost(DELETED_MAX)
                    .untilAsserted(() -> {
                        for (Topic topic : Topic.values()) {
                            assertThat(topic == Topic.GENERATIONS ? Set.of() : inTopic(topic))
                                    .as("%s", topic)
                                    .isEmpty();
                        }
                    });
        }
        loop.loop().startBroker();
    }

    private static AlterConfigOp scaled(String setting) {
        return new AlterConfigOp(new ConfigEntry(setting, SCALED_MILLIS), AlterConfigOp.OpType.SET);
    }

    private void delete(String request) {
        StringWriter said = new StringWriter();
        int exit = Tailrace.commandLine()
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .execute(
                        "delete",
                        "--bootstrap",
                        loop.loop().bootstrap(),
                        "--scope",
                        SCOPE,
                        "--request",
                        request,
                        "--wait-seconds",
                        Long.toString(DELETED_MAX.toSeconds()));
        assertThat(exit).as(said.toString()).isZero();
    }

    private RecordedRequest request(Fleet fleet, String id, int number) {
        answers[number] = answer();
        fleet.expect(id, SCOPE, answers[number]);
        int[] prompt = CANARIES.prompt(number);
        traces[number] = PromptTraces.of(prompt, answers[number]);
        return new RecordedRequest(
                id,
                SCOPE,
                "test",
                null,
                null,
                prompt,
                prompt.length,
                answers[number],
                new RecordedRequest.Position(Path.of("test"), 1));
    }

    /** About half of its tokens it has said before. */
    private int[] answer() {
        int[] tokens = random.ints(80, 0, Fleet.CANARIES_FROM).toArray();
        for (int i = 1; i < tokens.length; i++) {
            tokens[i] = random.nextBoolean() ? tokens[random.nextInt(i)] : tokens[i];
        }
        return tokens;
    }

    /** A client that loads no version, so all that it drafts from is fresh. */
    private static ClientDrafts withoutStore(String name, LoopUnderLoad loop) throws Exception {
        URI nowhere = Files.createDirectories(folder.resolve("nowhere")).toUri();
        return ClientDrafts.follow(name, loop.loop().bootstrap(), nowhere, folder.resolve(name));
    }

    private void awaitFresh(ClientDrafts client, int number) {
        Awaitility.await("a fresh answer that its prompt's tail leads to")
                .atMost(DELETED_MAX)
                .until(() -> !freshBehind(client, number).isEmpty());
    }

    /** Tokens of an answer that are drafted where its prompt ends. */
    private Set<Integer> freshBehind(ClientDrafts client, int number) {
        Set<Integer> drafted = new TreeSet<>(client.behind(
                SCOPE, tail(number).stream().mapToInt(Integer::intValue).toArray()));
        Set<Integer> answer = new TreeSet<>();
        for (int token : answers[number]) {
            answer.add(token);
        }
        drafted.retainAll(answer);
        return drafted;
    }

    private static Set<Integer> tail(int number) {
        return CANARIES.tail(number, 3);
    }

    /** Stand among canaries for a request's signature, and for what its answer copies. */
    private static int signature(int number) {
        return -1 - 2 * number;
    }

    private static int copies(int number) {
        return -2 - 2 * number;
    }

    /** All that segments keep of a request's prompt. */
    private static Set<Integer> kept(int number) {
        Set<Integer> kept = new TreeSet<>(tail(number));
        kept.add(signature(number));
        kept.add(copies(number));
        return kept;
    }

    private Set<Integer> keptIn(byte[] bytes) {
        Set<Integer> found = CANARIES.in(bytes);
        for (int number = 0; number < REQUESTS; number++) {
            if (traces[number] != null && traces[number].signatureIn(bytes)) {
                found.add(signature(number));
            }
            if (traces[number] != null && traces[number].copiesIn(bytes)) {
                found.add(copies(number));
            }
        }
        return found;
    }

    private Set<Integer> inServedFiles() throws Exception {
        Set<Integer> found = new TreeSet<>();
        for (SnapshotManifest manifest : topics.served()) {
            for (SegmentReference reference : manifest.getSegments()) {
                found.addAll(
                        keptIn(Files.readAllBytes(Path.of(loop.loop().store()).resolve(reference.getPath()))));
            }
        }
        return found;
    }

    private Set<Integer> inTopic(Topic topic) {
        Set<Integer> found = new TreeSet<>();
        for (ConsumerRecord<byte[], byte[]> record : topics.readRaw(topic)) {
            if (record.value() != null) {
                found.addAll(keptIn(record.value()));
            }
        }
        return found;
    }
}
