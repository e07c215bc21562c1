package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.local.LocalLoop;
import io.tailrace.monitoring.OperatorEndpoint;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Alerts of the deploy file, each raised by the fault that it is for: a real Prometheus looks at a real job and real workers. Nobody can make
 * the faults of {@link #DEFECTS} from outside. How long a condition must hold until somebody is told is left out.
 */
@Tag("full")
class AlertsIT {
    /** They watch over promises of the code itself. */
    private static final Set<String> DEFECTS = Set.of("TailraceAccountingOpen", "TailraceTooManySegments");

    private static final Duration RAISED_MAX = Duration.ofMinutes(4);
    private static final int BACKLOG = 60_000;
    private static final String SCOPE = "alpha";

    @TempDir
    private Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private PrometheusProcess prometheus;
    private LoopUnderLoad loop;
    private LoopObserver observer;
    private Fleet fleet;
    private LoadWorker worker;
    private int answers;

    @BeforeEach
    void start() throws Exception {
        Optional<Path> program = PrometheusProcess.program();
        Assumptions.assumeTrue(
                program.isPresent(),
                "no program 'prometheus' on the PATH: install it (Debian: apt-get install prometheus)");
        BreakableStore.be(BreakableStore.State.WELL);
        int flinkPort = PrometheusProcess.freePort();
        LocalLoop.Options plain = LoopUnderLoad.options(folder, Fleet.MODEL);
        loop = keep(LoopUnderLoad.start(new LocalLoop.Options(
                plain.folder(),
                plain.dashboardPort(),
                plain.model(),
                List.of("--shards", "2", "--cache-bytes", "0"),
                Map.of(
                        "metrics.reporters",
                        "prometheus",
                        "metrics.reporter.prometheus.port",
                        Integer.toString(flinkPort)),
                BreakableStore::around,
                false,
                0)));
        observer = keep(loop.observe());
        fleet = new Fleet(loop, observer, 7);
        prometheus = keep(PrometheusProcess.start(program.get(), folder.resolve("prometheus")));
        prometheus.scrape("flink", flinkPort);
        worker = watched(loop.addWorker("worker"));
        answer();
        Awaitility.await("metrics of job and worker")
                .atMost(RAISED_MAX)
                .until(() -> !prometheus
                                .query("flink_taskmanager_job_task_operator_lane_snapshotVersion")
                                .isEmpty()
                        && !prometheus.query("tailrace_snapshot_version > 0").isEmpty());
        // Two looks between which no checkpoint completed count as failing where nobody waits as the alert does.
        Awaitility.await("checkpoints that were seen to complete")
                .atMost(RAISED_MAX)
                .until(() -> !prometheus
                        .query("increase(flink_jobmanager_job_numberOfCompletedCheckpoints[2m]) > 0")
                        .isEmpty());
    }

    @AfterEach
    void stop() throws Exception {
        BreakableStore.be(BreakableStore.State.WELL);
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private <C extends AutoCloseable> C keep(C closeable) {
        open.add(closeable);
        return closeable;
    }

    private LoadWorker watched(LoadWorker of) throws IOException {
        prometheus.scrape("worker", keep(endpoint(of)).port());
        return of;
    }

    private static OperatorEndpoint endpoint(LoadWorker of) {
        return OperatorEndpoint.start("127.0.0.1", 0, () -> "a worker", of.metrics()::scrape, of::live, of::ready);
    }

    private void answer() {
        worker.serve(fleet.request("r-" + answers++, SCOPE));
    }

    private void quiet(String... alerts) throws Exception {
        for (String alert : alerts) {
            assertThat(prometheus.isRaised(alert))
                    .as("%s without its fault", alert)
                    .isFalse();
        }
    }

    /** Meanwhile answers come; what ends a thread of the job is the job's business. */
    private void raised(String... alerts) {
        Set<String> missing = new TreeSet<>(Set.of(alerts));
        Awaitility.await("all of " + missing)
                .dontCatchUncaughtExceptions()
                .atMost(RAISED_MAX)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    answer();
                    for (String alert : alerts) {
                        if (prometheus.isRaised(alert)) {
                            missing.remove(alert);
                        }
                    }
                    return missing.isEmpty();
                });
    }

    @Test
    void noneIsRaisedWhileAllIsWell() throws Exception {
        fleet.awaitSettled();
        for (int look = 0; look < 10; look++) {
            answer();
            quiet(prometheus.alerts().toArray(new String[0]));
        }
        assertThat(prometheus.alerts()).containsAll(DEFECTS);
    }

    @Test
    void badRecordsRaiseRejections() throws Exception {
        quiet("TailraceRejections");
        produce(200, i -> new byte[] {1, 2, 3});
        Awaitility.await().atMost(RAISED_MAX).until(() -> {
            produce(20, i -> new byte[] {1, 2, 3});
            return prometheus.isRaised("TailraceRejections");
        });
    }

    @Test
    void aStoreThatIsAwayRaisesStoreFailuresAndWhenItIsBackFreshness() throws Exception {
        quiet("TailraceStoreFailures", "TailraceFreshness");
        LoadWorker other = watched(loop.addWorker("other"));
        fleet.awaitLoaded(other, SCOPE);
        BreakableStore.be(BreakableStore.State.AWAY);
        raised("TailraceStoreFailures");
        quiet("TailraceFreshness");
        long awayUntil = System.nanoTime() + Duration.ofSeconds(12).toNanos();
        Awaitility.await().atMost(RAISED_MAX).until(() -> System.nanoTime() > awayUntil);
        BreakableStore.be(BreakableStore.State.WELL);
        raised("TailraceFreshness");
    }

    @Test
    void aDiskThatTakesNoCheckpointRaisesRestartsAndCheckpoints() throws Exception {
        quiet("TailraceJobRestarting", "TailraceCheckpointsFailing");
        Path checkpoints = folder.resolve("flink/checkpoints");
        Files.move(checkpoints, folder.resolve("checkpoints-before"));
        Files.createFile(checkpoints);
        raised("TailraceJobRestarting", "TailraceCheckpointsFailing");
    }

    @Test
    void aJobThatIsAwayRaisesJobDownAndThenItsBacklogAndWhatKafkaForgot() throws Exception {
        quiet("TailraceJobDown", "TailraceIngestBehind", "TailraceRecordsLost");
        String savepoint = loop.loop().job().stopWithSavepoint();
        raised("TailraceJobDown");
        produce(2_000, this::generation);
        forgetGenerations();
        produce(BACKLOG, this::generation);
        Thread restart = new Thread(() -> restart(savepoint));
        restart.start();
        Awaitility.await("TailraceIngestBehind, while more comes than the job reads")
                .atMost(RAISED_MAX)
                .until(() -> {
                    produce(BACKLOG / 3, this::generation);
                    return prometheus.isRaised("TailraceIngestBehind");
                });
        raised("TailraceRecordsLost");
        restart.join();
        Awaitility.await().atMost(RAISED_MAX).until(() -> !prometheus.isRaised("TailraceIngestBehind"));
        quiet("TailraceJobDown");
    }

    private void restart(String savepoint) {
        try {
            loop.loop().restartJob(savepoint);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aWorkerWithoutAStoreRaisesLoadFailuresAndSkewAndOneThatIsGoneIsDown() throws Exception {
        Path door = folder.resolve("door");
        Files.createSymbolicLink(door, Path.of(loop.loop().store()));
        LoadWorker behind = keep(new LoadWorker(LoadWorker.Options.of(
                "behind",
                Fleet.MODEL,
                KafkaAccess.of(loop.loop().bootstrap()),
                FollowOptions.of(door.toUri(), folder.resolve("cache-behind")))));
        behind.start();
        OperatorEndpoint endpoint = endpoint(behind);
        prometheus.scrape("worker", endpoint.port());
        fleet.awaitLoaded(behind, SCOPE);
        quiet("TailraceLoadFailures", "TailraceVersionSkew", "TailraceWorkerDown");
        Files.delete(door);
        raised("TailraceLoadFailures", "TailraceVersionSkew");
        quiet("TailraceWorkerDown");
        endpoint.close();
        raised("TailraceWorkerDown");
    }

    @Test
    void aStoreThatLosesFilesRaisesTheAuditAndFilesLostAndAnAuditThatEndsIsOverdue() throws Exception {
        quiet("TailraceFilesLost");
        fleet.awaitSettled();
        loseSegments();
        int port = PrometheusProcess.freePort();
        Thread audit = new Thread(() -> Tailrace.commandLine()
                .execute(
                        "audit",
                        "--bootstrap",
                        loop.loop().bootstrap(),
                        "--store",
                        loop.loop().store().toString(),
                        "--every-seconds",
                        "1",
                        "--port",
                        Integer.toString(port)));
        audit.setDaemon(true);
        audit.start();
        Awaitility.await("the first audit")
                .atMost(RAISED_MAX)
                .ignoreExceptions()
                .until(() -> audited(port));
        prometheus.scrape("audit", port);
        Set<String> seen = new TreeSet<>();
        Awaitility.await("files given up").atMost(RAISED_MAX).until(() -> {
            Stream.of("TailraceAuditFailed", "TailraceFilesLost")
                    .filter(this::holds)
                    .forEach(seen::add);
            return seen.size() == 2;
        });
        quiet("TailraceAuditOverdue");
        audit.interrupt();
        raised("TailraceAuditOverdue");
    }

    private boolean holds(String alert) {
        try {
            return prometheus.isRaised(alert);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Before its first audit it has found nothing wrong. */
    private static boolean audited(int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/health/ready".formatted(port)))
                .build();
        return HttpClient.newHttpClient()
                        .send(request, BodyHandlers.discarding())
                        .statusCode()
                == 200;
    }

    private void loseSegments() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(loop.loop().store()))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".segment")).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void aSpoolsDiskThatTakesNothingRaisesSpoolRefusedAndWithoutKafkaReportsAreLost() throws Exception {
        Path spool = folder.resolve("spool");
        LoadWorker full = keep(new LoadWorker(LoadWorker.Options.of(
                        "full",
                        Fleet.MODEL,
                        KafkaAccess.of(loop.loop().bootstrap()),
                        FollowOptions.of(loop.loop().store(), folder.resolve("cache-full")))
                .withSpool(spool)));
        full.start();
        watched(full);
        Awaitility.await()
                .atMost(RAISED_MAX)
                .until(() -> !prometheus
                        .query("tailrace_spool_refused{worker=\"full\"} == 0")
                        .isEmpty());
        quiet("TailraceSpoolRefused", "TailraceReportsLost");
        Files.createDirectory(spool.resolve("%016d.spool".formatted(0)));
        Awaitility.await().atMost(RAISED_MAX).until(() -> {
            full.serve(fleet.request("full-" + answers++, SCOPE));
            return prometheus.isRaised("TailraceSpoolRefused");
        });
        quiet("TailraceReportsLost");
        loop.loop().stopBroker();
        Awaitility.await().atMost(RAISED_MAX).until(() -> {
            for (int i = 0; i < 200; i++) {
                full.serve(fleet.request("lost-" + answers++, SCOPE, new int[5_000]));
            }
            return prometheus.isRaised("TailraceReportsLost");
        });
        loop.loop().startBroker();
    }

    private interface Value {
        byte[] of(int i);
    }

    private void produce(int records, Value value) throws InterruptedException, ExecutionException {
        Map<String, Object> settings = Map.of("bootstrap.servers", loop.loop().bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < records; i++) {
                byte[] key = ("k-" + i).getBytes(StandardCharsets.UTF_8);
                sent.add(producer.send(new ProducerRecord<>(Topic.GENERATIONS.name(""), key, value.of(i))));
            }
            for (Future<RecordMetadata> record : sent) {
                record.get();
            }
        }
    }

    private byte[] generation(int i) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return RecordCodec.GENERATION.encode(Generation.newBuilder()
                .setRequestId("produced-" + answers++)
                .setLane(Fleet.MODEL.lane(SCOPE).toLane())
                .setProducer("test")
                .setResponse(TokenIds.toList(new int[] {i % 1_000, 2, 3}))
                .setStartedAt(now)
                .setCompletedAt(now)
                .build());
    }

    /** As its retention would. */
    private void forgetGenerations() throws Exception {
        try (Admin admin = Admin.create(
                Map.<String, Object>of("bootstrap.servers", loop.loop().bootstrap()))) {
            String topic = Topic.GENERATIONS.name("");
            Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
            admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .forEach(partition ->
                            asked.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest()));
            Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
            admin.listOffsets(asked)
                    .all()
                    .get()
                    .forEach((partition, end) -> all.put(partition, RecordsToDelete.beforeOffset(end.offset())));
            admin.deleteRecords(all).all().get();
        }
    }
}
