package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.local.LocalLoop;
import io.tailrace.local.LocalLoopOptions;
import io.tailrace.local.observe.LoopObserver;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.worker.replay.LaneView;
import io.tailrace.worker.replay.ReplayWorker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What the loop learns, through a real broker, Flink and two workers. Stages of one story, in their order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LearningIT {
    private static final long SEED = 20_261_130L;
    private static final String SCOPE = "alpha";
    private static final LaneId LANE = Fleet.MODEL.lane(SCOPE);
    private static final Duration EVENT_MAX = Duration.ofMinutes(2);
    private static final Duration OBEYED_MAX = Duration.ofSeconds(5);
    private static final int REQUESTS_MAX = 6_000;
    private static final int DELETE_SECONDS = 20;
    /** What is promised of deletes: their time, a checkpoint until that is seen, and the moment until a worker has obeyed. */
    private static final Duration DELETED_MAX =
            Duration.ofSeconds(DELETE_SECONDS).plus(OBEYED_MAX).plus(OBEYED_MAX);

    private static final int[] CANARY =
            IntStream.range(Fleet.CANARIES_FROM, Fleet.CANARIES_FROM + 60).toArray();

    @TempDir
    static Path folder;

    private static LocalLoop loop;
    private static LoopObserver observer;
    private static Fleet fleet;
    private static TopicReader topics;
    private static final List<ReplayWorker> WORKERS = new ArrayList<>();
    private static final Random RANDOM = new Random(SEED);
    private static int requests;
    private static long goodVersion;
    private static String savepoint;

    @BeforeAll
    static void startTheLoop() throws Exception {
        loop = LocalLoop.start(LocalLoopOptions.in(folder, Fleet.MODEL)
                .withJobArguments(
                        "--shards",
                        "4",
                        "--replay-share",
                        "1",
                        "--policy-seconds",
                        "1",
                        "--policy-evidence",
                        "500",
                        "--delete-seconds",
                        Integer.toString(DELETE_SECONDS)));
        observer = loop.observe();
        fleet = new Fleet(loop, observer, SEED);
        topics = new TopicReader(loop.bootstrap());
        WORKERS.add(loop.addWorker("first"));
        WORKERS.add(loop.addWorker("second"));
    }

    @AfterAll
    static void stopTheLoop() {
        if (observer != null) {
            observer.close();
        }
        if (loop != null) {
            loop.close();
        }
    }

    /** An answer of a kind of traffic: one of a few texts with two words changed. */
    private static int[] answer(int place) {
        Random text = new Random(place * 100L + RANDOM.nextInt(20));
        int[] answer = text.ints(40, place, place + 2_000).toArray();
        answer[RANDOM.nextInt(40)] = place + RANDOM.nextInt(2_000);
        answer[RANDOM.nextInt(40)] = place + RANDOM.nextInt(2_000);
        return answer;
    }

    private static void serve(int place, int count) {
        for (int i = 0; i < count; i++, requests++) {
            WORKERS.get(requests % WORKERS.size()).serve(fleet.request("learning-" + requests, SCOPE, answer(place)));
        }
    }

    private static List<Event> events(EventKind kind) throws Exception {
        return topics.read(Topic.EVENTS, RecordCodec.EVENT).stream()
                .filter(event -> event.getKind() == kind)
                .toList();
    }

    private static List<SnapshotManifest> manifests() throws Exception {
        return topics.read(Topic.SNAPSHOTS, RecordCodec.SNAPSHOT_MANIFEST);
    }

    private static SnapshotManifest newest() throws Exception {
        List<SnapshotManifest> all = manifests();
        return all.get(all.size() - 1);
    }

    /** Serves until there is such an event. */
    private static Event serveUntil(int place, EventKind kind, Predicate<Event> wanted) throws Exception {
        for (int served = 0; served < REQUESTS_MAX; served += 50) {
            serve(place, 50);
            List<Event> found = events(kind).stream().filter(wanted).toList();
            if (!found.isEmpty()) {
                return found.get(0);
            }
        }
        return Awaitility.await(kind.toString())
                .atMost(EVENT_MAX)
                .until(() -> events(kind).stream().filter(wanted).findFirst().orElse(null), event -> event != null);
    }

    private static String tailrace(int expected, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--lane", LANE.toString()));
        return execute(expected, all.toArray(String[]::new));
    }

    private static String execute(int expected, String... arguments) {
        StringWriter out = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--bootstrap", loop.bootstrap()));
        int code = Tailrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(all.toArray(String[]::new));
        assertThat(code).as("%s: %s", all, out).isEqualTo(expected);
        return out.toString();
    }

    private static Path randomWeights() throws Exception {
        Random random = new Random(SEED);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < Mixer.defaults().weights().length; i++) {
            lines.add(Double.toString(3 * random.nextGaussian()));
        }
        return Files.write(folder.resolve("random.txt"), lines);
    }

    private static long loadedVersion(ReplayWorker worker) {
        return worker.views().stream()
                .map(LaneView::state)
                .filter(state -> state.lane().equals(LANE))
                .mapToLong(state -> state.loadedVersion())
                .findFirst()
                .orElse(0);
    }

    @Test
    @Order(1)
    void whatReplayLearnedBecomesThePolicyOnceItIsShownToBeNoWorse() throws Exception {
        Event adopted = serveUntil(0, EventKind.POLICY_ADOPTED, event -> true);
        assertThat(adopted.getNumbers().get("generations")).isPositive();
        assertThat(events(EventKind.POLICY_PROPOSED)).isNotEmpty();
        Awaitility.await("a version with the policy")
                .atMost(EVENT_MAX)
                .until(() -> manifests().stream()
                        .anyMatch(manifest -> manifest.getCause() == AnnouncementCause.POLICY
                                || manifest.getPolicy().getNumber() > 0));
        SnapshotManifest manifest = newest();
        assertThat(manifest.getPolicy().getWeights()).hasSize(Mixer.defaults().weights().length);
        assertThat(manifest.getPolicy().getCostCurve()).isNotEmpty();
        assertThat(manifest.getReplayed().getGenerations()).isPositive();
        assertThat(manifest.getDrift()).isNotNull();
        assertThat(events(EventKind.DRIFT)).isEmpty();
    }

    @Test
    @Order(2)
    void aShiftIsSeenWithinAHundredGenerationsAndAnnounced() throws Exception {
        long before = requests;
        Event drift = serveUntil(20_000, EventKind.DRIFT, event -> true);
        assertThat(drift.getNumbers().get("generations") - before).isBetween(1L, 100L);
        Awaitility.await("a version with the alarm")
                .atMost(EVENT_MAX)
                .until(() -> manifests().stream().anyMatch(manifest -> manifest.getCause() == AnnouncementCause.DRIFT));
        serveUntil(20_000, EventKind.DRIFT_ENDED, event -> true);
        assertThat(events(EventKind.DRIFT)).hasSize(1);
    }

    @Test
    @Order(3)
    void aPolicyWithRandomWeightsIsRefused() throws Exception {
        tailrace(0, "snapshots", "propose", "--weights", randomWeights().toString());
        Awaitility.await("the proposal")
                .atMost(EVENT_MAX)
                .until(() -> events(EventKind.POLICY_PROPOSED).stream()
                        .anyMatch(event -> event.getMessage().contains("command")));
        long trial = events(EventKind.POLICY_PROPOSED).stream()
                .filter(event -> event.getMessage().contains("command"))
                .findFirst()
                .orElseThrow()
                .getNumbers()
                .get("trial");
        Event refused = serveUntil(
                20_000,
                EventKind.POLICY_REFUSED,
                event -> event.getNumbers().get("trial").equals(trial));
        assertThat(refused.getMessage()).contains("worse than the live one");
        assertThat(manifests()).noneMatch(manifest -> manifest.getPolicy().getNumber() == trial);
    }

    private static long forceRandomWeights() throws Exception {
        goodVersion = newest().getVersion();
        long before = newest().getPolicy().getNumber();
        tailrace(
                0,
                "snapshots",
                "propose",
                "--force",
                "--weights",
                randomWeights().toString());
        Awaitility.await("the forced version on every worker").atMost(EVENT_MAX).until(() -> {
            SnapshotManifest manifest = newest();
            return manifest.getPolicy().getNumber() > before
                    && manifest.getPolicy().getEvidence() == 0
                    && WORKERS.stream().allMatch(worker -> loadedVersion(worker) == manifest.getVersion());
        });
        return newest().getVersion();
    }

    private static void rollBackWithinFiveSeconds(long bad) {
        long began = System.nanoTime();
        String said = tailrace(0, "snapshots", "rollback", Long.toString(goodVersion), "--wait-seconds", "20");
        assertThat(said).contains("2 of 2 live workers have followed");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(OBEYED_MAX);
        assertThat(WORKERS).noneMatch(worker -> loadedVersion(worker) == bad);
    }

    @Test
    @Order(4)
    void aBadVersionForcedPastTheJudgeIsRolledBackByOneCommand() throws Exception {
        rollBackWithinFiveSeconds(forceRandomWeights());
        Awaitility.await("the job to announce it again")
                .atMost(EVENT_MAX)
                .until(() ->
                        manifests().stream().anyMatch(manifest -> manifest.getCause() == AnnouncementCause.ROLLBACK));
    }

    @Test
    @Order(5)
    void andAlsoWhileTheJobIsDown() throws Exception {
        long bad = forceRandomWeights();
        savepoint = loop.job().stopWithSavepoint();
        rollBackWithinFiveSeconds(bad);
        assertThat(tailrace(0, "snapshots", "list")).contains(Long.toString(goodVersion));
        tailrace(0, "snapshots", "show", Long.toString(bad));
        assertThat(tailrace(0, "snapshots", "diff", Long.toString(goodVersion), Long.toString(bad)))
                .contains("policy");
    }

    @Test
    @Order(6)
    void aRestoreWithAnotherParallelismKeepsWhatWasLearnedAndVersionsRise() throws Exception {
        SnapshotManifest before = newest();
        long adopted = manifests().stream()
                .filter(manifest -> manifest.getVersion() == goodVersion)
                .findFirst()
                .orElseThrow()
                .getPolicy()
                .getNumber();
        loop.restartJob(savepoint, 1);
        Awaitility.await("the rolled-back state as a higher version")
                .atMost(EVENT_MAX)
                .until(() -> newest().getVersion() > before.getVersion()
                        && newest().getPolicy().getNumber() == adopted);
        serve(20_000, 100);
        fleet.awaitSettled();
        Awaitility.await("replay to go on where it was").atMost(EVENT_MAX).until(() -> {
            serve(20_000, 20);
            return newest().getReplayed().getGenerations()
                    > before.getReplayed().getGenerations();
        });
        assertThat(newest().getPolicy().getEvidence()).isPositive();
        List<Long> versions =
                manifests().stream().map(SnapshotManifest::getVersion).toList();
        assertThat(versions).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @Order(7)
    void whatWasDeletedStaysAbsentAfterRestoringAnOlderSavepoint() throws Exception {
        WORKERS.get(0).serve(fleet.request("canary", SCOPE, CANARY));
        fleet.awaitSettled();
        assertThat(canaries(newest())).isEqualTo(1);
        String older = loop.job().savepoint();
        Instant now = Instant.now().plusSeconds(1).truncatedTo(ChronoUnit.MILLIS);
        long began = System.nanoTime();
        send(new Control(
                "delete-1", Command.DELETE_REQUEST, null, null, SCOPE, null, "canary", "test", now, null, false));
        Awaitility.await("the delete")
                .atMost(DELETED_MAX)
                .until(() -> !events(EventKind.DELETED).isEmpty());
        awaitAbsence(began);
        assertThat(canaries(newest())).isZero();
        long deletedAt = newest().getVersion();
        loop.job().cancel();
        loop.restartJob(older);
        serve(20_000, 20);
        fleet.awaitSettled();
        Awaitility.await("a version after the restore")
                .atMost(EVENT_MAX)
                .until(() -> newest().getVersion() > deletedAt);
        Awaitility.await("no version that is not withdrawn to hold it, whenever it was announced")
                .atMost(EVENT_MAX)
                .untilAsserted(() -> {
                    assertThat(served()).isNotEmpty();
                    for (SnapshotManifest manifest : served()) {
                        assertThat(canaries(manifest))
                                .as("version %d", manifest.getVersion())
                                .isZero();
                    }
                });
    }

    @Test
    @Order(8)
    void aDeletedScopeIsAbsentFromEveryServedVersion() throws Exception {
        long before = newest().getVersion();
        long began = System.nanoTime();
        String seconds = Long.toString(DELETED_MAX.toSeconds());
        assertThat(execute(0, "delete", "--scope", SCOPE, "--wait-seconds", seconds))
                .contains("DELETE_SCOPE")
                .contains("done after");
        Awaitility.await("the empty version")
                .atMost(EVENT_MAX)
                .until(() ->
                        newest().getVersion() > before && newest().getSegments().isEmpty());
        Awaitility.await("the withdrawals, which have a transaction of their own")
                .atMost(OBEYED_MAX)
                .untilAsserted(() -> assertThat(served())
                        .isNotEmpty()
                        .allSatisfy(
                                manifest -> assertThat(manifest.getSegments()).isEmpty()));
        Awaitility.await("nothing of it on the workers' disks")
                .atMost(left(began))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(cachedFiles()).isEmpty());
    }

    /** The promise, from when it was asked for: no version that is served, and no worker's disk, holds it any more. */
    private static void awaitAbsence(long began) {
        Awaitility.await("no served version to hold it").atMost(left(began)).untilAsserted(() -> {
            for (SnapshotManifest manifest : served()) {
                assertThat(canaries(manifest))
                        .as("version %d", manifest.getVersion())
                        .isZero();
            }
        });
        Awaitility.await("no worker to hold it on its disk")
                .atMost(left(began))
                .ignoreExceptions() // files leave while they are looked at
                .untilAsserted(() -> {
                    for (Path file : cachedFiles()) {
                        assertThat(canaries(file)).as("%s", file).isZero();
                    }
                });
    }

    private static Duration left(long began) {
        return DELETED_MAX.minusNanos(System.nanoTime() - began);
    }

    private static List<Path> cachedFiles() throws Exception {
        try (Stream<Path> files = Files.walk(folder.resolve("cache"))) {
            return files.filter(file -> file.toString().endsWith(".segment")).toList();
        }
    }

    /** Announced and not withdrawn. */
    private static Collection<SnapshotManifest> served() throws Exception {
        Map<String, SnapshotManifest> served = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : topics.readRaw(Topic.SNAPSHOTS)) {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            served.remove(key);
            if (record.value() != null) {
                served.put(key, RecordCodec.SNAPSHOT_MANIFEST.decode(record.value()));
            }
        }
        return served.values();
    }

    private static long canaries(SnapshotManifest manifest) throws Exception {
        long count = 0;
        for (SegmentReference reference : manifest.getSegments()) {
            count += canaries(Path.of(loop.store()).resolve(reference.getPath()));
        }
        return count;
    }

    private static long canaries(Path file) throws Exception {
        try (Segment segment = Segment.inspect(file)) {
            return segment.count(CANARY);
        }
    }

    private static void send(Control control) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", loop.bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            Topic.CONTROL.name(""),
                            control.getCommandId().getBytes(StandardCharsets.UTF_8),
                            RecordCodec.CONTROL.encode(control)))
                    .get();
        }
    }
}
