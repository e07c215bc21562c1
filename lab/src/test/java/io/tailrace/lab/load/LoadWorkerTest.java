package io.tailrace.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.client.ClientOfBrokers;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.Brokers;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.monitoring.OperatorEndpoint;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Counterfactual;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotKey;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOutcome;
import io.tailrace.schemas.StepTime;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.WorkerStatus;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.Compaction.Input;
import io.tailrace.suffix.segment.Compaction.Result;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class LoadWorkerTest {
    private static final ServedModel MODEL = new ServedModel("m", "1", 50_000, "tok");
    private static final TopicPartition SNAPSHOTS = new TopicPartition("snapshots", 0);
    private static final TopicPartition CONTROL = new TopicPartition("control", 0);

    @TempDir
    Path store;

    @TempDir
    Path cache;

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private LoadWorker worker;

    @BeforeEach
    void start() throws IOException {
        topicExists(SNAPSHOTS);
        topicExists(CONTROL);
        LoadWorker.Options options = LoadWorker.Options.of(
                        "w1", MODEL, KafkaAccess.of("unused:1"), FollowOptions.of(store.toUri(), cache))
                .withServing(LoadWorker.Serving.defaults().withMeasureOwnContext(true));
        worker = new LoadWorker(options, ClientOfBrokers.open(options.client(), brokers()));
        worker.start();
    }

    @AfterEach
    void close() {
        worker.close();
    }

    @Test
    void secondRequestDraftsFromTheFirstOnesAnswerAtOnce() {
        int[] answer = answer(1, 300);
        ServedRequest first = worker.serve(request("a", "s", answer));
        ServedRequest second = worker.serve(request("b", "s", answer));
        assertThat(first.decoded().tokensPerStep()).isCloseTo(1, within(0.2));
        assertThat(second.decoded().tokensPerStep()).isGreaterThan(4);
        assertThat(second.ownContext().steps())
                .isGreaterThan(3 * second.decoded().tally().steps());
    }

    @Test
    void aGenerationCarriesThePromptUnlessNoneIsToBeSent() throws IOException {
        RecordedRequest request = request("a", "s", answer(1, 30));
        assertThat(worker.serve(request).generation().getPrompt()).isNotNull();
        LoadWorker.Options options = LoadWorker.Options.of(
                        "w2", MODEL, KafkaAccess.of("unused:1"), FollowOptions.of(store.toUri(), cache))
                .withServing(LoadWorker.Serving.defaults().withReportPrompts(false));
        try (LoadWorker discreet = new LoadWorker(options, ClientOfBrokers.open(options.client(), brokers()))) {
            assertThat(discreet.serve(request).generation().getPrompt()).isNull();
        }
    }

    @Test
    void scopesShareNothing() {
        int[] answer = answer(1, 300);
        worker.serve(request("a", "s", answer));
        ServedRequest elsewhere = worker.serve(request("b", "t", answer));
        assertThat(elsewhere.decoded().tally().accepted()).isLessThan(10);
        assertThat(worker.views()).extracting(LoadWorker.LaneView::lane).containsExactly("m@1/s", "m@1/t");
    }

    @Test
    void announcedSnapshotOfAnotherWorkersAnswersIsDraftedFrom() throws IOException {
        int[] answer = answer(2, 300);
        announce("s", 77, answer);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> version("s") == 77);
        ServedRequest served = worker.serve(request("a", "s", answer));
        assertThat(served.decoded().snapshotVersionFirst()).isEqualTo(77);
        assertThat(served.decoded().tokensPerStep()).isGreaterThan(4);
        assertThat(worker.serve(request("b", "t", answer)).decoded().tokensPerStep())
                .as("another scope must not see it")
                .isLessThan(1.2);
        assertThat(worker.freshness().getTotalCount()).isEqualTo(1);
    }

    @Test
    void generationAndOutcomeSayWhatWasServed() throws UndecodableRecordException {
        int[] answer = answer(3, 100);
        worker.serve(request("a", "s", answer));
        ServedRequest served = worker.serve(request("b", "s", answer));
        Generation generation = RecordCodec.GENERATION.decode(sent("generations", 1));
        assertThat(generation.getRequestId()).isEqualTo("b");
        assertThat(generation.getProducer()).isEqualTo("w1");
        assertThat(TokenIds.toArray(generation.getResponse())).isEqualTo(answer);
        assertThat(TokenIds.toArray(generation.getPrompt())).containsExactly(7, 8);
        Outcome outcome = RecordCodec.OUTCOME.decode(sent("outcomes", 1));
        assertThat(outcome.getResponseTokens()).isEqualTo(100);
        assertThat(outcome.getPromptTokens()).isEqualTo(2);
        assertThat(outcome.getSteps()).isEqualTo(served.decoded().tally().steps());
        assertThat(outcome.getBySource().stream()
                        .mapToInt(SourceOutcome::getAccepted)
                        .sum())
                .isEqualTo(outcome.getAccepted());
        assertThat(outcome.getStepTimes().stream().mapToInt(StepTime::getSteps).sum())
                .isEqualTo(outcome.getSteps());
        assertThat(outcome.getWorkerClass()).isEqualTo("replay-simulated");
        assertThat(outcome.getCounterfactuals())
                .extracting(Counterfactual::getStrategy)
                .containsExactly("own-context");
    }

    @Test
    void statusFollowsWhatIsLoaded() throws IOException {
        announce("s", 77, answer(4, 50));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> statuses().stream().anyMatch(status -> status.getLoadedVersion() == 77));
    }

    @Test
    void totalsAddUp() {
        worker.serve(request("a", "s", answer(5, 40)));
        worker.serve(request("b", "s", answer(6, 60)));
        ServedTotals totals = worker.views().get(0).totals();
        assertThat(totals.requests()).isEqualTo(2);
        assertThat(totals.responseTokens()).isEqualTo(100);
        assertThat(totals.ownContextTokens()).isEqualTo(100);
        assertThat(totals.tokensPerStep()).isBetween(1.0, 2.0);
        assertThat(totals.tokensPerStepOwnContext()).isBetween(1.0, 2.0);
    }

    @Test
    void manyThreadsMayServeAtOnceWhileSnapshotsSwap() throws Exception {
        AtomicInteger wrong = new AtomicInteger();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int seed = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 40; i++) {
                    int[] answer = answer(i % 10, 80);
                    int[] output = worker.serve(request(seed + "-" + i, "s", answer))
                            .decoded()
                            .output();
                    wrong.addAndGet(Arrays.equals(output, answer) ? 0 : 1);
                }
            });
            threads[t].setUncaughtExceptionHandler((thread, e) -> wrong.incrementAndGet());
            threads[t].start();
        }
        for (int version = 1; version <= 20; version++) {
            announce("s", version, answer(version % 10, 80));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).hasValue(0);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> version("s") == 20);
    }

    @Test
    void metricsAndHealthAreServedOverHttp() throws Exception {
        worker.serve(request("a", "s", answer(7, 30)));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(worker::ready);
        try (OperatorEndpoint endpoint =
                OperatorEndpoint.start("127.0.0.1", 0, () -> "", worker.metrics()::scrape, worker::live, () -> false)) {
            assertThat(get(endpoint, "/metrics").body())
                    .contains("tailrace_requests_total{lane=\"m@1/s\",worker=\"w1\"} 1.0")
                    .contains("tailrace_response_tokens_total{lane=\"m@1/s\",worker=\"w1\"} 30.0")
                    .contains("tailrace_snapshot_version{lane=\"m@1/s\",worker=\"w1\"} 0.0")
                    .contains("tailrace_draft_time_seconds_bucket")
                    .contains("tailrace_reports_failed_total{worker=\"w1\"} 0.0");
            assertThat(get(endpoint, "/health/live").statusCode()).isEqualTo(200);
            assertThat(get(endpoint, "/health/ready").statusCode()).isEqualTo(503);
            assertThat(get(endpoint, "/elsewhere").statusCode()).isEqualTo(404);
        }
    }

    private static HttpResponse<String> get(OperatorEndpoint endpoint, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private long version(String scope) {
        return worker.views().stream()
                .filter(view -> view.state().lane().scope().equals(scope))
                .mapToLong(view -> view.state().loadedVersion())
                .findAny()
                .orElse(0);
    }

    private List<WorkerStatus> statuses() {
        return producer.history().stream()
                .filter(sent -> sent.topic().equals("workers"))
                .map(sent -> decodeStatus(sent.value()))
                .toList();
    }

    private static WorkerStatus decodeStatus(byte[] bytes) {
        try {
            return RecordCodec.WORKER_STATUS.decode(bytes);
        } catch (UndecodableRecordException e) {
            throw new AssertionError(e);
        }
    }

    private byte[] sent(String topic, int index) {
        return producer.history().stream()
                .filter(sent -> sent.topic().equals(topic))
                .map(ProducerRecord::value)
                .toList()
                .get(index);
    }

    private void announce(String scope, long version, int[] tokens) throws IOException {
        LaneId lane = MODEL.lane(scope);
        Result result = Compaction.flush(
                List.of(new Input(new GenerationEntry(version, 2, "other", 1_000), tokens)),
                new SegmentIdentity(lane.toString(), MODEL.vocabularySize(), MODEL.tokenizerFingerprint()),
                store);
        SegmentReference segment = new SegmentReference(
                store.relativize(result.files().segment()).toString(),
                result.summary().sha256(),
                result.summary().sizeBytes(),
                SegmentRole.NEWEST,
                result.summary().documents(),
                result.summary().textTokens(),
                result.summary().liveTokens(),
                Instant.ofEpochMilli(1_000));
        SnapshotManifest manifest = SnapshotManifest.newBuilder()
                .setLane(lane.toLane())
                .setVersion(version)
                .setParentVersion(version - 1)
                .setCreatedAt(Instant.ofEpochMilli(version))
                .setCause(AnnouncementCause.CADENCE)
                .setVocabularySize(MODEL.vocabularySize())
                .setTokenizerFingerprint(MODEL.tokenizerFingerprint())
                .setSegments(List.of(segment))
                .setPolicy(new Policy(true, 16, 0.003f, 0, List.of(), List.of(), 0L, Instant.EPOCH, 0L))
                .setStatistics(new LaneStatistics(0L, 0L, 0L, 0L, 0L))
                .setCompletionTimesAdded(List.of(Instant.now()))
                .setSourceOffsets(List.of())
                .build();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(worker::ready);
        consumer.addRecord(new ConsumerRecord<>(
                SNAPSHOTS.topic(),
                0,
                version,
                SnapshotKey.of(manifest).bytes(),
                RecordCodec.SNAPSHOT_MANIFEST.encode(manifest)));
    }

    private Brokers brokers() {
        return new Brokers() {
            @Override
            public Consumer<byte[], byte[]> newConsumer(String clientId) {
                return consumer;
            }

            @Override
            public Producer<byte[], byte[]> newProducer(String clientId) {
                return producer;
            }

            @Override
            public String topicPrefix() {
                return "";
            }

            @Override
            public Optional<String> unreachable() {
                return Optional.empty();
            }
        };
    }

    private void topicExists(TopicPartition topic) {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        consumer.updatePartitions(topic.topic(), List.of(new PartitionInfo(topic.topic(), 0, node, nodes, nodes)));
        consumer.updateBeginningOffsets(Map.of(topic, 0L));
        consumer.updateEndOffsets(Map.of(topic, 0L));
    }

    /** Random tokens: nothing in it repeats, so own context gives nothing. */
    private static int[] answer(long seed, int length) {
        return new Random(seed).ints(length, 0, MODEL.vocabularySize()).toArray();
    }

    private static RecordedRequest request(String id, String scope, int[] answer) {
        return new RecordedRequest(
                id, scope, "w", null, null, new int[] {7, 8}, 2, answer, new RecordedRequest.Position(Path.of("f"), 1));
    }
}
