package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.OTHER_LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.learning.LearningOptions;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.outcomes.OutcomeTotals;
import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.operators.store.FaultyStore;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.WorkerPresence;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The function in Flink's own harness, over a real store in a temporary folder. */
final class LanePublisherTest {
    private static final long START = 1_700_000_000_000L;
    private static final String CANARY = "[66, 67, 68]";

    @TempDir
    Path folder;

    private PublisherBench bench;

    @BeforeEach
    void open() throws Exception {
        bench = new PublisherBench(folder, PublishingOptions.defaults(), START);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    private SnapshotManifest only(List<SnapshotManifest> manifests) {
        assertThat(manifests).hasSize(1);
        return manifests.get(0);
    }

    private void assertBalanced(Map<String, Long> numbers) {
        assertThat(numbers.get("tokensAdmitted"))
                .as("%s", numbers)
                .isEqualTo(numbers.get("tokensLive")
                        + numbers.get("tokensPending")
                        + numbers.get("tokensExpired")
                        + numbers.get("tokensDeleted"));
    }

    @Test
    void flushesOfAllShardsBecomeOneNewestSegment() throws Exception {
        bench.flush(0, generation("a", START - 7, 1, 2, 3));
        bench.flush(1, generation(LANE, 1, "b", START - 3, 4, 5));
        bench.advance(2000);

        SnapshotManifest manifest = only(bench.manifests());

        assertThat(bench.documents(manifest)).containsExactly("[1, 2, 3]", "[4, 5]");
        assertThat(manifest.getVersion()).isBetween(START, START + 1000);
        assertThat(manifest.getParentVersion()).isZero();
        assertThat(manifest.getCause()).isEqualTo(AnnouncementCause.CADENCE);
        assertThat(manifest.getVocabularySize()).isEqualTo(1000);
        assertThat(manifest.getTokenizerFingerprint()).isEqualTo("toy-tokenizer");
        assertThat(manifest.getCompletionTimesAdded())
                .containsExactly(Instant.ofEpochMilli(START - 7), Instant.ofEpochMilli(START - 3));
        assertThat(manifest.getSegments()).singleElement().satisfies(segment -> {
            assertThat(segment.getRole()).isEqualTo(SegmentRole.NEWEST);
            assertThat(segment.getLiveTokens()).isEqualTo(5);
        });
        assertThat(bench.accounting())
                .containsEntry("recordsAdmitted", 2L)
                .containsEntry("tokensAdmitted", 5L)
                .containsEntry("tokensLive", 5L)
                .containsEntry("tokensPending", 0L)
                .containsEntry("snapshotVersion", manifest.getVersion());
    }

    @Test
    void aLaneIsAnnouncedAtMostOnceASecondAndVersionsRise() throws Exception {
        long first = Long.MIN_VALUE;
        long lastAt = Long.MIN_VALUE;
        long lastVersion = 0;
        int announcements = 0;
        for (int i = 0; i < 200; i++) {
            bench.flush(0, generation("r" + i, bench.now(), i + 1, i + 2));
            bench.advance(100);
            for (SnapshotManifest manifest : bench.manifests()) {
                long at = manifest.getCreatedAt().toEpochMilli();
                first = announcements++ == 0 ? at : first;
                assertThat(at).isGreaterThanOrEqualTo(lastAt + 900);
                assertThat(announcements - 1).isLessThanOrEqualTo((int) ((at - first + 100) / 1000));
                assertThat(manifest.getVersion()).isGreaterThan(lastVersion);
                assertThat(manifest.getParentVersion()).isEqualTo(lastVersion);
                lastAt = at;
                lastVersion = manifest.getVersion();
            }
        }
        assertThat(announcements).isGreaterThan(15);
    }

    private static ControlCommand proposal(String commandId, boolean force) {
        LanePolicy policy = LanePolicy.defaults();
        return new ControlCommand(
                commandId, Command.PROPOSE_POLICY, "toy", "1", "acme", 0, 0, 0, "operator", 1, policy, force);
    }

    private List<Event> told(EventKind... kinds) throws Exception {
        return bench.events().stream()
                .filter(event -> List.of(kinds).contains(event.getKind()))
                .toList();
    }

    /** Replicas score a candidate until they hear of its end. */
    @Test
    void aTrialThatACommandOvertakesEndsWithAnEvent() throws Exception {
        bench.flush(0, generation("a", START, 1, 2));
        bench.advance(1000);
        long good = only(bench.manifests()).getVersion();
        EventKind[] kinds = {
            EventKind.POLICY_PROPOSED, EventKind.POLICY_REFUSED, EventKind.POLICY_ADOPTED, EventKind.ROLLED_BACK
        };
        bench.control(proposal("p1", false));
        bench.control(proposal("p2", false));
        bench.control(proposal("p3", true));
        bench.control(proposal("p4", false));
        bench.control(Samples.command("r1", Command.ROLLBACK, good));
        bench.control(Samples.command("r2", Command.ROLLBACK, good));

        List<Event> told = told(kinds);

        assertThat(told)
                .extracting(Event::getKind)
                .containsExactly(
                        EventKind.POLICY_PROPOSED,
                        EventKind.POLICY_REFUSED,
                        EventKind.POLICY_PROPOSED,
                        EventKind.POLICY_REFUSED,
                        EventKind.POLICY_ADOPTED,
                        EventKind.POLICY_PROPOSED,
                        EventKind.POLICY_REFUSED,
                        EventKind.ROLLED_BACK,
                        EventKind.ROLLED_BACK);
        assertThat(told.subList(0, 7))
                .extracting(event -> event.getNumbers().get("trial"))
                .containsExactly(1L, 1L, 2L, 2L, 3L, 4L, 4L);
        assertThat(told.get(5).getNumbers()).containsEntry("livePolicy", 3L);
    }

    @Test
    void aLaneIsAnnouncedShortlyBeforeEachCheckpoint() throws Exception {
        int inTime = 0;
        for (int i = 0; i < 200; i++) {
            bench.flush(0, generation("r" + i, bench.now(), i + 1, i + 2));
            bench.advance(100);
            if (i % 10 == 3) {
                long now = bench.now();
                bench.checkpoint();
                inTime += (int) bench.manifests().stream()
                        .filter(manifest -> manifest.getCreatedAt().toEpochMilli() >= now - 100)
                        .count();
            }
        }
        assertThat(inTime).isBetween(15, 20);
    }

    @Test
    void versionsRiseAlsoWhenTheClockStoodStillOrWentBack() throws Exception {
        bench.flush(0, generation("a", START, 1));
        bench.advance(1000);
        long first = only(bench.manifests()).getVersion();
        LaneState state = new LaneState(LANE);
        state.version = first + 1_000_000;
        state.newest = null;
        LanePublication publication = new LanePublication(state, PublishingOptions.defaults());
        publication.makeDue(AnnouncementCause.CADENCE);
        long next = publication
                .announce(first, Samples.MODELS.identity(LANE))
                .orElseThrow()
                .manifest()
                .getVersion();
        assertThat(next).isEqualTo(first + 1_000_001);
    }

    @Test
    void aFoldLostInAFailureIsPlannedAgainAndNothingIsDoubled() throws Exception {
        bench.flush(0, generation("a", START, 1, 2, 3));
        OperatorSubtaskState beforeFold = bench.checkpoint();
        bench.advance(1000);
        assertThat(bench.manifests()).hasSize(1);

        bench.restore(beforeFold);
        bench.advance(1000);

        assertThat(bench.documents(only(bench.manifests()))).containsExactly("[1, 2, 3]");
        Map<String, Long> numbers = bench.accounting();
        assertThat(numbers).containsEntry("tokensAdmitted", 3L).containsEntry("tokensLive", 3L);
        assertBalanced(numbers);
    }

    @Test
    void anAnnouncedLaneGoesOnAfterARestore() throws Exception {
        bench.flush(0, generation("a", START, 1, 2, 3));
        bench.advance(1000);
        SnapshotManifest first = only(bench.manifests());
        bench.restore(bench.checkpoint());
        bench.flush(0, generation("b", bench.now(), 4));
        bench.advance(3000);

        List<SnapshotManifest> after = bench.manifests();
        assertThat(after.get(0).getParentVersion()).isEqualTo(first.getVersion());
        assertThat(bench.documents(after.get(after.size() - 1))).containsExactly("[1, 2, 3]", "[4]");
        assertBalanced(bench.accounting());
    }

    /** Its last announcement may have been lost with a transaction that the brokers gave up. */
    @Test
    void aLaneWithoutTrafficIsAnnouncedOnceMoreAfterARestore() throws Exception {
        bench.flush(0, generation("a", START, 1, 2, 3));
        bench.advance(1000);
        SnapshotManifest first = only(bench.manifests());
        bench.restore(bench.checkpoint());
        bench.advance(10_000);
        SnapshotManifest again = only(bench.manifests());
        assertThat(again.getCause()).isEqualTo(AnnouncementCause.RESTORE);
        assertThat(again.getVersion()).isGreaterThan(first.getVersion());
        assertThat(again.getSegments()).isEqualTo(first.getSegments());
    }

    @Test
    void whileTheStoreFailsTheAnnouncedVersionStaysAndAnEventSaysSo() throws Exception {
        bench.flush(0, generation("a", START, 1));
        bench.advance(1000);
        bench.manifests();
        FaultyStore.failNext(2);
        bench.flush(0, generation("b", bench.now(), 2));
        bench.advance(1500);
        assertThat(bench.manifests()).isEmpty();
        assertThat(bench.events())
                .anySatisfy(event -> assertThat(event.getKind()).isEqualTo(EventKind.STORE_UNAVAILABLE));
        bench.advance(10_000);
        assertThat(bench.documents(only(bench.manifests()))).containsExactly("[1]", "[2]");
        assertBalanced(bench.accounting());
    }

    @Test
    void lanesDoNotMix() throws Exception {
        bench.flush(0, generation("a", START, 66, 67, 68));
        bench.flush(0, generation(OTHER_LANE, 0, "a", START, 1, 2));
        bench.advance(1000);
        for (SnapshotManifest manifest : bench.manifests()) {
            boolean acme = manifest.getLane().getScope().equals("acme");
            assertThat(bench.documents(manifest)).containsExactly(acme ? CANARY : "[1, 2]");
            assertThat(manifest.getSegments().get(0).getPath())
                    .startsWith("segments/" + (acme ? LANE : OTHER_LANE) + "/");
        }
    }

    @Test
    void aDeletedRequestIsAbsentFromTheNextVersionAndEarlierVersionsAreDropped() throws Exception {
        bench.flush(0, generation("keep", START, 1, 2), generation("canary", START, 66, 67, 68));
        bench.advance(1000);
        SnapshotManifest before = only(bench.manifests());
        assertThat(bench.documents(before)).contains(CANARY);

        bench.control(Samples.deleteRequest("d1", "acme", "canary", bench.now()));
        bench.advance(3000);

        List<PublisherBench.Published> published = bench.published();
        SnapshotManifest after = published.get(0).manifest();
        assertThat(after.getCause()).isEqualTo(AnnouncementCause.DELETE);
        assertThat(bench.documents(after)).containsExactly("[1, 2]");
        assertThat(published.subList(1, published.size()))
                .containsExactly(new PublisherBench.Published(LANE + "#" + before.getVersion(), null));
        List<Event> events = bench.events();
        assertThat(events).anySatisfy(event -> assertThat(event.getKind()).isEqualTo(EventKind.DELETED));
        Map<String, Long> numbers = events.get(events.size() - 1).getNumbers();
        assertThat(numbers).containsEntry("tokensDeleted", 3L);
        assertBalanced(numbers);
    }

    private static long number(Event event, String name) {
        return event.getNumbers().get(name);
    }

    /** The promise does not wait for the store. */
    @Test
    void aDeleteIsDoneInItsTimeAlsoWhileTheStoreFailsAndWhatWasLeftOutComesBack() throws Exception {
        bench.close();
        bench = new PublisherBench(folder, options(64, 1 << 18, Duration.ofSeconds(5)), START);
        bench.flush(0, generation("keep", START, 1, 2), generation("canary", START, 66, 67, 68));
        bench.advance(1000);
        long before = only(bench.manifests()).getVersion();
        bench.events();
        FaultyStore.failNext(1_000_000);
        long deleted = bench.now();
        bench.control(Samples.deleteRequest("d1", "acme", "canary", deleted));
        bench.advance(4_900);
        assertThat(bench.published()).as("it could still be done in time").isEmpty();
        bench.advance(200);

        List<PublisherBench.Published> published = bench.published();
        SnapshotManifest withheld = published.get(0).manifest();
        assertThat(withheld.getCause()).isEqualTo(AnnouncementCause.DELETE);
        assertThat(withheld.getSegments()).isEmpty();
        assertThat(tombstones(published)).containsExactly(LANE + "#" + before);
        assertThat(told(EventKind.DELETED)).singleElement().satisfies(event -> {
            assertThat(number(event, "issuedTo")).isEqualTo(deleted);
            assertThat(number(event, "tokensWithheld")).isEqualTo(5);
        });
        bench.advance(30_000);
        assertThat(bench.published()).as("once").isEmpty();

        FaultyStore.failNext(0);
        bench.advance(40_000);
        List<SnapshotManifest> after = bench.manifests();
        assertThat(bench.documents(after.get(after.size() - 1))).containsExactly("[1, 2]");
        Map<String, Long> numbers = bench.accounting();
        assertThat(numbers).containsEntry("tokensDeleted", 3L);
        assertBalanced(numbers);
    }

    /** A restore holds announcements back until the deletes it finds are done, but not beyond their time. */
    @Test
    void aDeleteThatARestoreFindsIsDoneInItsTimeAlsoWhileTheStoreFails() throws Exception {
        bench.close();
        bench = new PublisherBench(folder, options(64, 1 << 18, Duration.ofSeconds(5)), START);
        bench.flush(0, generation("canary", START, 66, 67, 68));
        bench.advance(1000);
        long before = only(bench.manifests()).getVersion();
        OperatorSubtaskState old = bench.checkpoint();
        FaultyStore.failNext(1_000_000);
        bench.advance(Duration.ofMinutes(1).toMillis());
        bench.restore(old, Samples.deleteScope("d1", "acme", START + 1_500));
        bench.advance(4_000);
        assertThat(bench.published())
                .as("its time counts from when the job hears of it")
                .isEmpty();
        bench.advance(2_000);
        List<PublisherBench.Published> published = bench.published();
        assertThat(published.get(0).manifest().getSegments()).isEmpty();
        assertThat(tombstones(published)).containsExactly(LANE + "#" + before);
    }

    /** One that is deleted after another must not keep a segment from its turn. */
    @Test
    void deletesWithoutEndAreDoneOneAfterTheOtherInEverySegment() throws Exception {
        LaneState state = new LaneState(LANE);
        PublishingOptions options = options(64, 1 << 18, Duration.ofSeconds(40));
        LanePublication publication = new LanePublication(state, options);
        for (int i = 0; i < 3; i++) {
            StoredSegment stored = new StoredSegment("s" + i, "c" + i, "s" + i, 1, 1, 1_000 - i, 1_000 - i, START);
            state.older.add(new LiveSegment(stored, 0, START, START, START));
        }
        publication.makeDue(AnnouncementCause.CADENCE);
        assertThat(publication.announce(START, Samples.MODELS.identity(LANE))).isPresent();
        long toldTo = 0;
        for (int i = 1; i <= 30; i++) {
            long now = START + 1_000L * i;
            new LaneCommands(publication, LearningOptions.defaults(), now)
                    .apply(Samples.deleteRequest("d" + i, "acme", "r" + i, now));
            MergePlan plan = publication.merges().older(now).orElseThrow();
            new LaneCommands(publication, LearningOptions.defaults(), now)
                    .apply(Samples.deleteRequest("e" + i, "acme", "s" + i, now + 1));
            StoredSegment input = plan.segments().get(0).stored();
            StoredSegment merged = new StoredSegment(
                    input.path() + "+", "c", "s", 1, 1, input.liveTokens(), input.liveTokens(), START);
            publication.adopt(new MergeOutcome(plan, merged, 0, 0, null));
            var announcement = publication.announce(now + 900, Samples.MODELS.identity(LANE));
            if (announcement.isPresent() && announcement.get().deletesDone()) {
                toldTo = publication.deletedTo();
            }
            if (i > 4) {
                assertThat(toldTo).as("after %d", i).isGreaterThanOrEqualTo(now - 4_000);
                assertThat(state.retained.get(0).tombstonesApplied()).isGreaterThanOrEqualTo(2 * i - 8);
            }
        }
    }

    @Test
    void aDeletedScopeStaysDeletedAfterRestoringAnOlderCheckpoint() throws Exception {
        bench.flush(0, generation("canary", START, 66, 67, 68));
        bench.advance(1000);
        bench.manifests();
        OperatorSubtaskState old = bench.checkpoint();
        var delete = Samples.deleteScope("d1", "acme", bench.now());
        bench.control(delete);
        bench.advance(3000);
        assertThat(bench.documents(only(bench.manifests()))).isEmpty();

        bench.restore(old, delete);
        bench.flush(0, generation("later", bench.now(), 1));
        bench.advance(3000);

        List<SnapshotManifest> manifests = bench.manifests();
        for (SnapshotManifest manifest : manifests) {
            assertThat(bench.documents(manifest)).doesNotContain(CANARY);
        }
        assertThat(bench.documents(manifests.get(manifests.size() - 1))).containsExactly("[1]");
        assertBalanced(bench.accounting());
    }

    @Test
    void aVersionAnnouncedAfterTheRestoredCheckpointIsSupersededAndWithdrawn() throws Exception {
        bench.flush(0, generation("a", START, 1));
        bench.advance(1000);
        OperatorSubtaskState old = bench.checkpoint();
        bench.flush(0, generation("canary", bench.now(), 66, 67, 68));
        bench.advance(2000);
        List<SnapshotManifest> before = bench.manifests();
        long unknown = before.get(before.size() - 1).getVersion();

        bench.restore(old);
        for (SnapshotManifest manifest : before) {
            hearOf(manifest);
        }
        bench.advance(2000);

        List<PublisherBench.Published> published = bench.published();
        SnapshotManifest after = published.get(0).manifest();
        assertThat(after.getVersion()).isGreaterThan(unknown);
        assertThat(bench.documents(after)).containsExactly("[1]");
        assertThat(tombstones(published)).contains(LANE + "#" + unknown);
    }

    @Test
    void theOwnAnnouncementsHeardBackChangeNothing() throws Exception {
        bench.flush(0, generation("a", START, 1));
        bench.advance(2000);
        hearOf(only(bench.manifests()));
        bench.advance(5000);
        assertThat(bench.published()).isEmpty();
    }

    @Test
    void ofALaneThatTheStateNeverHadEveryVersionIsWithdrawn() throws Exception {
        bench.input(LaneInput.ofAnnounced(LANE, START + 100_000));
        bench.input(LaneInput.ofAnnounced(LANE, START + 90_000));
        bench.advance(2000);
        List<PublisherBench.Published> published = bench.published();
        assertThat(published.get(0).manifest().getVersion()).isEqualTo(START + 100_001);
        assertThat(published.get(0).manifest().getSegments()).isEmpty();
        assertThat(tombstones(published))
                .containsExactly(LANE + "#" + (START + 100_000), LANE + "#" + (START + 90_000));
    }

    private void hearOf(SnapshotManifest manifest) throws Exception {
        bench.input(LaneInput.ofAnnounced(LANE, manifest.getVersion()));
    }

    @Test
    void aDeleteReachesLevelZeroSegmentsThatComeLater() throws Exception {
        bench.control(Samples.deleteRequest("d1", "acme", "canary", START + 10));
        bench.flush(0, generation("canary", START, 66, 67, 68), generation("keep", START, 1));
        bench.advance(1000);
        for (SnapshotManifest manifest : bench.manifests()) {
            assertThat(bench.documents(manifest)).containsExactly("[1]");
        }
        assertBalanced(bench.accounting());
    }

    @Test
    void aRollbackAnnouncesTheEarlierSegmentsAsAHigherVersion() throws Exception {
        bench.flush(0, generation("a", START, 1, 2));
        bench.advance(1000);
        SnapshotManifest good = only(bench.manifests());
        bench.flush(0, generation("b", bench.now(), 3));
        bench.advance(1500);
        SnapshotManifest bad = only(bench.manifests());

        bench.control(Samples.command("r1", Command.ROLLBACK, good.getVersion()));
        bench.control(Samples.command("r1", Command.ROLLBACK, good.getVersion()));
        bench.advance(1500);

        SnapshotManifest back = only(bench.manifests());
        assertThat(back.getVersion()).isGreaterThan(bad.getVersion());
        assertThat(back.getCause()).isEqualTo(AnnouncementCause.ROLLBACK);
        assertThat(bad.getRolledBackBy()).isNull();
        assertThat(back.getRolledBackBy()).isEqualTo("r1");
        assertThat(back.getSegments()).isEqualTo(good.getSegments());
        List<Event> events = bench.events();
        assertThat(events)
                .filteredOn(event -> event.getKind() == EventKind.ROLLED_BACK)
                .hasSize(1);
        assertThat(events.get(events.size() - 1).getNumbers()).containsEntry("tokensExpired", 1L);
        assertBalanced(events.get(events.size() - 1).getNumbers());
    }

    @Test
    void aRollbackToWhatADeleteForbidsOrRetentionDroppedIsRefused() throws Exception {
        bench.flush(0, generation("a", START, 1, 2));
        bench.advance(1000);
        long first = only(bench.manifests()).getVersion();
        bench.control(Samples.deleteRequest("d1", "acme", "a", bench.now()));
        bench.control(Samples.command("r1", Command.ROLLBACK, first));
        bench.control(Samples.command("r2", Command.ROLLBACK, 17L));
        assertThat(bench.events().stream()
                        .filter(event -> event.getKind() == EventKind.OTHER)
                        .map(Event::getMessage))
                .satisfiesExactly(
                        message -> assertThat(message).contains("holds what a delete forbids"),
                        message -> assertThat(message).contains("cannot roll back to version 17: 1 versions from"));
    }

    @Test
    void retentionDropsTheOldestVersionsButNotAPinnedOne() throws Exception {
        bench.close();
        bench = new PublisherBench(folder, options(3, 1 << 18), START);
        long pinned = 0;
        for (int i = 0; i < 8; i++) {
            bench.flush(0, generation("r" + i, bench.now(), i + 1));
            bench.advance(1100);
            if (i == 1) {
                List<SnapshotManifest> manifests = bench.manifests();
                pinned = manifests.get(manifests.size() - 1).getVersion();
                bench.control(Samples.command("p1", Command.PIN, pinned));
            }
        }
        List<String> dropped = bench.published().stream()
                .filter(published -> published.manifest() == null)
                .map(PublisherBench.Published::key)
                .toList();
        assertThat(dropped).isNotEmpty().doesNotContain(LANE + "#" + pinned);
        assertThat(bench.events())
                .anySatisfy(event -> assertThat(event.getKind()).isEqualTo(EventKind.PINNED));

        bench.control(Samples.command("u1", Command.UNPIN, null));
        bench.flush(0, generation("last", bench.now(), 99));
        bench.advance(1500);
        assertThat(bench.published().stream().map(PublisherBench.Published::key))
                .contains(LANE + "#" + pinned);
    }

    @Test
    void underManyFlushesThereAreNeverMoreThanFourSegmentsAndTheBooksBalance() throws Exception {
        bench.close();
        bench = new PublisherBench(folder, options(64, 40), START);
        int tokens = 0;
        for (int i = 0; i < 60; i++) {
            bench.flush(i % 8, generation(LANE, i % 8, "r" + i, bench.now(), i, i + 1, i + 2, i + 3, i + 4));
            tokens += 5;
            bench.advance(1000);
            for (SnapshotManifest manifest : bench.manifests()) {
                assertThat(manifest.getSegments()).hasSizeLessThanOrEqualTo(4);
                assertThat(manifest.getSegments().stream().filter(segment -> segment.getRole() == SegmentRole.NEWEST))
                        .hasSizeLessThanOrEqualTo(1);
            }
            assertBalanced(bench.accounting());
        }
        bench.flush(0, generation("end", bench.now(), 1));
        bench.advance(3000);
        List<SnapshotManifest> last = bench.manifests();
        assertThat(bench.documents(last.get(last.size() - 1))).hasSize(61);
        assertThat(bench.accounting()).containsEntry("tokensLive", (long) tokens + 1);
    }

    @Test
    void filesThatNothingNamesAreSweptAfterTheGracePeriodAndNoOthers() throws Exception {
        bench.close();
        bench = new PublisherBench(folder, options(2, 1 << 18), System.currentTimeMillis());
        for (int i = 0; i < 6; i++) {
            bench.flush(0, generation("r" + i, bench.now(), i + 1));
            bench.advance(1100);
        }
        int before = bench.storedFiles(LANE).size();
        bench.advance(Duration.ofMinutes(2).toMillis());
        List<SnapshotManifest> manifests = bench.manifests();
        assertThat(bench.storedFiles(LANE)).hasSizeLessThan(before);
        assertThat(bench.documents(manifests.get(manifests.size() - 1))).hasSize(6);
        assertThat(bench.documents(manifests.get(manifests.size() - 2))).hasSize(5);
    }

    @Test
    void outcomesStandInTheNextManifest() throws Exception {
        bench.flush(0, generation("a", START, 1));
        bench.input(LaneInput.of(new LaneOutcome(LANE, new OutcomeTotals(3, 30, 200, 40, 70))));
        bench.advance(1000);
        assertThat(only(bench.manifests()).getStatistics()).isEqualTo(new LaneStatistics(3L, 30L, 200L, 40L, 70L));
    }

    @Test
    void whatWorkersSayOfALaneThatNoGenerationHasNamedMakesNoLane() throws Exception {
        bench.input(LaneInput.of(new LaneOutcome("other@9/acme", new OutcomeTotals(1, 2, 3, 1, 3))));
        bench.input(LaneInput.of(new LaneOutcome("toy@1/nobody", new OutcomeTotals(1, 2, 3, 1, 3))));
        bench.input(LaneInput.of(new WorkerReport("toy@1/nobody", "worker-1", 7, START)));
        bench.flush(0, generation("a", START, 1));
        bench.advance(3000);
        assertThat(only(bench.manifests()).getLane().getModel()).isEqualTo("toy");
        assertThat(bench.events())
                .allSatisfy(event -> assertThat(event.getLane().getScope()).isEqualTo("acme"));
    }

    @Test
    void aVersionThatALiveWorkerServesIsKeptAndGoesWhenTheWorkerIsGone() throws Exception {
        bench.close();
        bench = new PublisherBench(folder, options(2, 1 << 18), START);
        bench.flush(0, generation("a", bench.now(), 1));
        bench.advance(1000);
        long served = only(bench.manifests()).getVersion();
        for (int i = 0; i < 8; i++) {
            bench.input(LaneInput.of(new WorkerReport(LANE, "worker-1", served, bench.now())));
            bench.flush(0, generation("b" + i, bench.now(), 2 + i));
            bench.advance(1000);
        }
        assertThat(tombstones(bench.published())).isNotEmpty().noneMatch(key -> key.endsWith("#" + served));
        bench.advance(WorkerPresence.SILENT_MILLIS_MAX + 1_000);
        bench.flush(0, generation("c", bench.now(), 99));
        bench.advance(2000);
        assertThat(tombstones(bench.published())).anyMatch(key -> key.endsWith("#" + served));
    }

    private static List<String> tombstones(List<PublisherBench.Published> published) {
        return published.stream()
                .filter(record -> record.manifest() == null)
                .map(PublisherBench.Published::key)
                .toList();
    }

    private static PublishingOptions options(int versionsRetained, long newestTokensMax) {
        return options(versionsRetained, newestTokensMax, Duration.ofMinutes(15));
    }

    private static PublishingOptions options(int versionsRetained, long newestTokensMax, Duration deleteBound) {
        return new PublishingOptions(
                1000,
                newestTokensMax,
                Duration.ofMinutes(10).toMillis(),
                32_000_000,
                Duration.ofDays(30).toMillis(),
                0,
                Duration.ofDays(8).toMillis(),
                deleteBound.toMillis(),
                versionsRetained,
                Duration.ofDays(7).toMillis(),
                Duration.ofMinutes(1).toMillis(),
                1 << 20,
                true);
    }
}
