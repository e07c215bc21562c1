package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.report.Reporter;
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
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.ReportTopics;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/** A job goes on from the state of one that read a single topic, and reads a second that is bound to a scope; a worker of that scope reports there. */
@Tag("full")
class BoundTopicsIT {
    private static final Duration JOB_MAX = Duration.ofSeconds(60);
    private static final String BOUND = ReportTopics.bound("", "beta").generations();
    private static final String BOUND_OUTCOMES = ReportTopics.bound("", "beta").outcomes();
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
        report("beta", ANSWERS);
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
        Awaitility.await("outcomes that are read").atMost(JOB_MAX).until(() -> read(BOUND_OUTCOMES) == ANSWERS);
        job.cancel();
    }

    /** As a worker of the scope does. */
    private void report(String scope, int answers) throws Exception {
        ReportingOptions options = new ReportingOptions(
                KafkaAccess.of(loop.loop().bootstrap()),
                Optional.of("beta"),
                Optional.of(folder.resolve("spool")),
                Reporter.SPOOL_BYTES_MIN,
                true,
                JOB_MAX);
        try (Reporter reporter = options.open("bound-worker")) {
            for (int i = 0; i < answers; i++) {
                Generation generation = generation("bound-" + i, scope);
                reporter.generation(generation);
                reporter.outcome(Outcome.newBuilder()
                        .setRequestId(generation.getRequestId())
                        .setLane(generation.getLane())
                        .setWorker("bound-worker")
                        .setWorkerClass("bound")
                        .setStrategy("adaptive")
                        .setSnapshotVersionFirst(0)
                        .setSnapshotVersionLast(0)
                        .setPromptTokens(1)
                        .setResponseTokens(generation.getResponse().size())
                        .setSteps(1)
                        .setDrafted(0)
                        .setAccepted(0)
                        .setBySource(List.of())
                        .setStepTimes(List.of())
                        .setDraftMicros(0)
                        .setStartedAt(generation.getStartedAt())
                        .setCompletedAt(generation.getCompletedAt())
                        .build());
            }
        }
    }

    /** Records of a topic that the job has read, by its last checkpoint. */
    private long read(String topic) throws Exception {
        try (Admin admin = Admin.create(
                Map.<String, Object>of("bootstrap.servers", loop.loop().bootstrap()))) {
            return admin
                    .listConsumerGroupOffsets("tailrace-index")
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .entrySet()
                    .stream()
                    .filter(offset -> offset.getKey().topic().equals(topic))
                    .mapToLong(offset -> offset.getValue().offset())
                    .sum();
        }
    }

    private Generation generation(String id, String scope) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return Generation.newBuilder()
                .setRequestId(id)
                .setLane(Fleet.MODEL.lane(scope).toLane())
                .setProducer("test")
                .setResponse(TokenIds.toList(fleet.request(id, scope).response()))
                .setStartedAt(now)
                .setCompletedAt(now)
                .build();
    }

    private void produce(String topic, String scope, int answers) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", loop.loop().bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < answers; i++) {
                String id = topic + "-" + scope + "-" + i;
                Generation generation = generation(id, scope);
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
                "--bound-topics", "beta=beta",
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
