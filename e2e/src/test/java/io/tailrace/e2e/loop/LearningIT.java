package io.tailrace.e2e.loop;

import static io.tailrace.e2e.loop.LearningLoop.EVENT_MAX;
import static io.tailrace.e2e.loop.LearningLoop.SCOPE;
import static io.tailrace.e2e.loop.LearningLoop.loadedVersion;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.draft.Mixer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What the loop learns, through a real broker, Flink and two workers. Stages of one story, in their order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("full")
class LearningIT {
    private static final long SEED = 20_261_130L;
    /** It takes a second or two; the rest is for a busy machine. */
    private static final Duration OBEYED_MAX = Duration.ofSeconds(30);

    private static final int DELETE_SECONDS = 20;
    /** What is promised of deletes: their time, a checkpoint until that is seen, and the moment until a worker has obeyed. */
    private static final Duration DELETED_MAX =
            Duration.ofSeconds(DELETE_SECONDS).plus(OBEYED_MAX).plus(OBEYED_MAX);

    @TempDir
    static Path folder;

    private static LearningLoop loop;
    private static TopicReader topics;
    private static long goodVersion;
    private static String savepoint;

    @BeforeAll
    static void startTheLoop() throws Exception {
        loop = LearningLoop.start(folder, SEED, DELETE_SECONDS);
        topics = loop.topics();
    }

    @AfterAll
    static void stopTheLoop() {
        if (loop != null) {
            loop.close();
        }
    }

    @Test
    @Order(1)
    void whatReplayLearnedBecomesThePolicyOnceItIsShownToBeNoWorse() throws Exception {
        Event adopted = loop.serveUntil(0, EventKind.POLICY_ADOPTED, event -> true);
        assertThat(adopted.getNumbers().get("generations")).isPositive();
        assertThat(topics.events(EventKind.POLICY_PROPOSED)).isNotEmpty();
        Awaitility.await("a version with the policy")
                .atMost(EVENT_MAX)
                .until(() -> topics.manifests().stream()
                        .anyMatch(manifest -> manifest.getCause() == AnnouncementCause.POLICY
                                || manifest.getPolicy().getNumber() > 0));
        SnapshotManifest manifest = topics.newest();
        assertThat(manifest.getPolicy().getWeights()).hasSize(Mixer.defaults().weights().length);
        assertThat(manifest.getPolicy().getCostCurve()).isNotEmpty();
        assertThat(manifest.getEvaluation().getGenerations()).isPositive();
        assertThat(manifest.getDrift()).isNotNull();
        assertThat(topics.events(EventKind.DRIFT)).isEmpty();
    }

    @Test
    @Order(2)
    void aShiftIsSeenWithinAHundredGenerationsAndAnnounced() throws Exception {
        long before = loop.requests();
        Event drift = loop.serveUntil(20_000, EventKind.DRIFT, event -> true);
        assertThat(drift.getNumbers().get("generations") - before).isBetween(1L, 100L);
        Awaitility.await("a version with the alarm")
                .atMost(EVENT_MAX)
                .until(() -> topics.manifests().stream()
                        .anyMatch(manifest -> manifest.getCause() == AnnouncementCause.DRIFT));
        loop.serveUntil(20_000, EventKind.DRIFT_ENDED, event -> true);
        assertThat(topics.events(EventKind.DRIFT)).hasSize(1);
    }

    @Test
    @Order(3)
    void aPolicyWithRandomWeightsIsRefused() throws Exception {
        loop.tailrace(0, "snapshots", "propose", "--weights", randomWeights().toString());
        Awaitility.await("the proposal")
                .atMost(EVENT_MAX)
                .until(() -> topics.events(EventKind.POLICY_PROPOSED).stream()
                        .anyMatch(event -> event.getMessage().contains("command")));
        long trial = topics.events(EventKind.POLICY_PROPOSED).stream()
                .filter(event -> event.getMessage().contains("command"))
                .findFirst()
                .orElseThrow()
                .getNumbers()
                .get("trial");
        Event refused = loop.serveUntil(
                20_000,
                EventKind.POLICY_REFUSED,
                event -> event.getNumbers().get("trial").equals(trial));
        assertThat(refused.getMessage()).contains("worse than the live one");
        assertThat(topics.manifests())
                .noneMatch(manifest -> manifest.getPolicy().getNumber() == trial);
    }

    private static Path randomWeights() throws Exception {
        Random random = new Random(SEED);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < Mixer.defaults().weights().length; i++) {
            lines.add(Double.toString(3 * random.nextGaussian()));
        }
        return Files.write(folder.resolve("random.txt"), lines);
    }

    private static long forceRandomWeights() throws Exception {
        goodVersion = topics.newest().getVersion();
        long before = topics.newest().getPolicy().getNumber();
        loop.tailrace(
                0,
                "snapshots",
                "propose",
                "--force",
                "--weights",
                randomWeights().toString());
        Awaitility.await("the forced version on every worker").atMost(EVENT_MAX).until(() -> {
            SnapshotManifest manifest = topics.newest();
            return manifest.getPolicy().getNumber() > before
                    && manifest.getPolicy().getEvidence() == 0
                    && loop.workers().stream().allMatch(worker -> loadedVersion(worker) == manifest.getVersion());
        });
        return topics.newest().getVersion();
    }

    private static void rollBack(long bad) {
        obeyed("rollback", Long.toString(goodVersion));
        assertThat(loop.workers()).noneMatch(worker -> loadedVersion(worker) == bad);
    }

    private static void pinAndUnpin(long newest) {
        obeyed("pin", Long.toString(goodVersion));
        assertThat(loop.workers()).allMatch(worker -> loadedVersion(worker) == goodVersion);
        loop.tailrace(0, "snapshots", "unpin");
        Awaitility.await("the newest version on every worker")
                .atMost(OBEYED_MAX)
                .until(() -> loop.workers().stream().allMatch(worker -> loadedVersion(worker) >= newest));
    }

    private static void obeyed(String... command) {
        List<String> arguments = new ArrayList<>(List.of("snapshots"));
        arguments.addAll(List.of(command));
        arguments.addAll(List.of("--wait-seconds", Long.toString(OBEYED_MAX.toSeconds())));
        assertThat(loop.tailrace(0, arguments.toArray(String[]::new))).contains("2 of 2 live workers have followed");
    }

    @Test
    @Order(4)
    void aBadVersionForcedPastTheJudgeIsRolledBackByOneCommand() throws Exception {
        long bad = forceRandomWeights();
        pinAndUnpin(bad);
        rollBack(bad);
        Awaitility.await("the job to announce it again")
                .atMost(EVENT_MAX)
                .until(() -> topics.manifests().stream()
                        .anyMatch(manifest -> manifest.getCause() == AnnouncementCause.ROLLBACK));
    }

    @Test
    @Order(5)
    void andAlsoWhileTheJobIsDown() throws Exception {
        long bad = forceRandomWeights();
        savepoint = loop.local().job().stopWithSavepoint();
        pinAndUnpin(bad);
        rollBack(bad);
        assertThat(loop.tailrace(0, "snapshots", "list")).contains(Long.toString(goodVersion));
        loop.tailrace(0, "snapshots", "show", Long.toString(bad));
        assertThat(loop.tailrace(0, "snapshots", "diff", Long.toString(goodVersion), Long.toString(bad)))
                .contains("policy");
    }

    @Test
    @Order(6)
    void aRestoreWithAnotherParallelismKeepsWhatWasLearnedAndVersionsRise() throws Exception {
        SnapshotManifest before = topics.newest();
        SnapshotManifest good = topics.manifests().stream()
                .filter(manifest -> manifest.getVersion() == goodVersion)
                .findFirst()
                .orElseThrow();
        loop.local().restartJob(savepoint, 1);
        SnapshotManifest restored = Awaitility.await("the rolled-back state as a higher version")
                .atMost(EVENT_MAX)
                .until(
                        topics::newest,
                        newest -> newest.getVersion() > before.getVersion()
                                && newest.getPolicy().getNumber()
                                        == good.getPolicy().getNumber());
        assertThat(restored.getPolicy().getWeights())
                .isNotEmpty()
                .isEqualTo(good.getPolicy().getWeights());
        assertThat(restored.getEvaluation().getGenerations())
                .isGreaterThanOrEqualTo(before.getEvaluation().getGenerations());
        loop.serve(20_000, 100);
        loop.fleet().awaitSettled();
        Awaitility.await("replay to go on where it was").atMost(EVENT_MAX).until(() -> {
            loop.serve(20_000, 20);
            return topics.newest().getEvaluation().getGenerations()
                    > before.getEvaluation().getGenerations();
        });
        assertThat(topics.newest().getPolicy().getEvidence()).isPositive();
        List<Long> versions =
                topics.manifests().stream().map(SnapshotManifest::getVersion).toList();
        assertThat(versions).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @Order(7)
    void whatWasDeletedStaysAbsentAfterRestoringAnOlderSavepoint() throws Exception {
        loop.serve("canary", Canary.TOKENS);
        loop.fleet().awaitSettled();
        assertThat(loop.canary().count(topics.newest())).isEqualTo(1);
        String older = loop.local().job().savepoint();
        Instant now = Instant.now().plusSeconds(1).truncatedTo(ChronoUnit.MILLIS);
        long began = System.nanoTime();
        loop.send(new Control(
                "delete-1", Command.DELETE_REQUEST, null, null, SCOPE, null, "canary", "test", now, null, false));
        Awaitility.await("the delete")
                .atMost(DELETED_MAX)
                .until(() -> !topics.events(EventKind.DELETED).isEmpty());
        awaitAbsence(began);
        assertThat(loop.canary().count(topics.newest())).isZero();
        long deletedAt = topics.newest().getVersion();
        restoreAnOlderState(older, 20);
        for (SnapshotManifest manifest : announcedAfter(deletedAt)) {
            assertThat(loop.canary().count(manifest))
                    .as("version %d", manifest.getVersion())
                    .isZero();
        }
        awaitAbsence(System.nanoTime());
    }

    private static void restoreAnOlderState(String older, int requests) throws Exception {
        loop.local().job().cancel();
        long last = topics.newest().getVersion();
        loop.local().restartJob(older);
        loop.serve(20_000, requests);
        loop.fleet().awaitSettled();
        Awaitility.await("a version after the restore")
                .atMost(EVENT_MAX)
                .until(() -> topics.newest().getVersion() > last);
    }

    /** All that ever were, withdrawn since or not. */
    private static List<SnapshotManifest> announcedAfter(long version) throws Exception {
        return topics.manifests().stream()
                .filter(manifest -> manifest.getVersion() > version)
                .toList();
    }

    @Test
    @Order(8)
    void aDeletedScopeIsAbsentFromEveryServedVersion() throws Exception {
        long before = topics.newest().getVersion();
        String older = loop.local().job().savepoint();
        long began = System.nanoTime();
        String seconds = Long.toString(DELETED_MAX.toSeconds());
        assertThat(loop.execute(0, "delete", "--scope", SCOPE, "--wait-seconds", seconds))
                .contains("DELETE_SCOPE")
                .contains("done after");
        Awaitility.await("the empty version")
                .atMost(EVENT_MAX)
                .until(() -> topics.newest().getVersion() > before
                        && topics.newest().getSegments().isEmpty());
        Awaitility.await("the withdrawals, which have a transaction of their own")
                .atMost(OBEYED_MAX)
                .untilAsserted(() -> assertThat(topics.served())
                        .isNotEmpty()
                        .allSatisfy(
                                manifest -> assertThat(manifest.getSegments()).isEmpty()));
        Awaitility.await("nothing of it on the workers' disks")
                .atMost(left(began))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(loop.canary().cachedFiles()).isEmpty());
        long deletedAt = topics.newest().getVersion();
        restoreAnOlderState(older, 0);
        assertThat(announcedAfter(deletedAt))
                .isNotEmpty()
                .allSatisfy(manifest -> assertThat(manifest.getSegments()).isEmpty());
    }

    /** The promise, from when it was asked for: no version that is served, and no worker's disk, holds it any more. */
    private static void awaitAbsence(long began) {
        Awaitility.await("no served version to hold it").atMost(left(began)).untilAsserted(() -> {
            for (SnapshotManifest manifest : topics.served()) {
                assertThat(loop.canary().count(manifest))
                        .as("version %d", manifest.getVersion())
                        .isZero();
            }
        });
        Awaitility.await("no worker to hold it on its disk")
                .atMost(left(began))
                .ignoreExceptions() // files leave while they are looked at
                .untilAsserted(() -> {
                    for (Path file : loop.canary().cachedFiles()) {
                        assertThat(Canary.count(file)).as("%s", file).isZero();
                    }
                });
    }

    private static Duration left(long began) {
        return DELETED_MAX.minusNanos(System.nanoTime() - began);
    }
}
