package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.jobs.IndexJob;
import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.local.LocalFlink;
import io.tailrace.local.LocalJob;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job goes on from the state of one that read a single topic, and reads a second that is bound to a scope. */
@Tag("full")
class BoundTopicsIT {
    private static final Duration JOB_MAX = Duration.ofSeconds(60);
    private static final String BOUND = Topic.GENERATIONS.name("") + "-beta";
    private static final int ANSWERS = 12;

    @TempDir
    private Path folder;

    private LoopUnderLoad loop;
    private LoopObserver observer;
    private Fleet fleet;
    private LocalFlink elsewhere;

    @BeforeEach
    void oneTopicIsRead() throws Exception {
        loop = LoopUnderLoad.start(LoopUnderLoad.options(folder, Fleet.MODEL).withJobArguments("--shards", "4"));
        observer = loop.observe();
        fleet = new Fleet(loop, observer, 7);
        LoadWorker worker = loop.addWorker("worker");
        for (int i = 0; i < ANSWERS; i++) {
            worker.serve(fleet.request("before-" + i, "alpha"));
        }
        fleet.awaitSettled();
        elsewhere = LocalFlink.start(new LocalFlink.Options(folder.resolve("elsewhere"), 0, 1, 2, Map.of()));
    }

    @AfterEach
    void close() throws Exception {
        if (elsewhere != null) {
            elsewhere.close();
        }
        observer.close();
        loop.close();
    }

    @Test
    void aScopeComesFromItsTopicAloneAndTheBooksCountBoth() throws Exception {
        try (Admin admin = Admin.create(
                Map.<String, Object>of("bootstrap.servers", loop.loop().bootstrap()))) {
            new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION, List.of("beta"));
        }
        LocalJob job = submit(loop.loop().job().stopWithSavepoint());
        job.awaitCheckpoint(JOB_MAX);
        produce(Topic.GENERATIONS.name(""), "alpha", ANSWERS);
        produce(BOUND, "beta", ANSWERS);
        produce(Topic.GENERATIONS.name(""), "beta", 1);
        produce(BOUND, "alpha", 1);
        TopicReader topics = new TopicReader(loop.loop().bootstrap());
        Awaitility.await("rejections")
                .atMost(JOB_MAX)
                .untilAsserted(() -> assertThat(topics.read(Topic.REJECTIONS, RecordCodec.REJECTION))
                        .hasSize(2)
                        .allSatisfy(rejection ->
                                assertThat(rejection.getReason()).isEqualTo(RejectionReason.SCOPE_NOT_ALLOWED))
                        .extracting(rejection ->
                                rejection.getTopic() + " " + rejection.getLane().getScope())
                        .containsExactlyInAnyOrder(Topic.GENERATIONS.name("") + " beta", BOUND + " alpha"));
        Awaitility.await("a version of beta")
                .atMost(JOB_MAX)
                .until(() -> topics.manifests().stream()
                        .anyMatch(manifest ->
                                LaneId.of(manifest.getLane()).scope().equals("beta")));
        Awaitility.await("books that count both topics")
                .atMost(JOB_MAX)
                .until(() -> fleet.audit()
                        .contains("%d read by the job's accounts, %d ever written to topic %s; at most 0 wait"
                                .formatted(3 * ANSWERS + 2, 3 * ANSWERS + 2, Topic.GENERATIONS.name(""))));
        job.cancel();
    }

    private void produce(String topic, String scope, int answers) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", loop.loop().bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < answers; i++) {
                String id = topic + "-" + scope + "-" + i;
                Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
                Generation generation = Generation.newBuilder()
                        .setRequestId(id)
                        .setLane(Fleet.MODEL.lane(scope).toLane())
                        .setProducer("test")
                        .setResponse(TokenIds.toList(fleet.request(id, scope).response()))
                        .setStartedAt(now)
                        .setCompletedAt(now)
                        .build();
                producer.send(new ProducerRecord<>(
                                topic, id.getBytes(StandardCharsets.UTF_8), RecordCodec.GENERATION.encode(generation)))
                        .get();
            }
        }
    }

    private LocalJob submit(String restoreFrom) throws Exception {
        IndexJobOptions options = IndexJobOptions.parse(
                "--bootstrap", loop.loop().bootstrap(),
                "--store", loop.loop().store().toString(),
                "--shards", "4",
                "--generations", "beta=beta",
                "--model",
                        "%s@%s,vocabulary=%d,tokenizer=%s"
                                .formatted(
                                        Fleet.MODEL.model(),
                                        Fleet.MODEL.revision(),
                                        Fleet.MODEL.vocabularySize(),
                                        Fleet.MODEL.tokenizerFingerprint()));
        return elsewhere.submit(IndexJob.NAME, environment -> IndexJob.build(environment, options), restoreFrom);
    }
}
