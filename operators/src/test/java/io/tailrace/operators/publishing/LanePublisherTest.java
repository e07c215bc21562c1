package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.OTHER_LANE;
import static io.tailrace.operators.Samples.generation;
import static io.tailrace.operators.publishing.PublisherBench.START;
import static io.tailrace.operators.publishing.PublisherBench.assertBalanced;
import static io.tailrace.operators.publishing.PublisherBench.only;
import static io.tailrace.operators.publishing.PublisherBench.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.Samples;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.store.FaultyStore;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a lane's publisher announces, and when: the function in Flink's own harness, over a real store in a temporary folder. */
final class LanePublisherTest {
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

    @Test
    void whatComesFromAllShardsBecomesOneNewestSegment() throws Exception {
        bench.arrive(0, generation("a", START - 7, 1, 2, 3));
        bench.arrive(1, generation(LANE, 1, "b", START - 3, 4, 5));
        bench.advance(2000);

        SnapshotManifest manifest = only(bench.manifests());

        assertThat(bench.documents(manifest)).containsExactly("[1, 2, 3]", "[4, 5]");
        assertThat(manifest.getVersion()).isBetween(START, START + 1000);
        assertThat(manifest.getParentVersion()).isZero();
        assertThat(manifest.getCause()).isEqualTo(AnnouncementCause.CADENCE);
        assertThat(manifest.getVocabularySize()).isEqualTo(1000);
        assertThat(manifest.getTokenizerFingerprint()).isEqualTo("toy-tokenizer");
        assertThat(manifest.getEpoch()).isEqualTo(PublisherBench.EPOCH);
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
            bench.arrive(0, generation("r" + i, bench.now(), i + 1, i + 2));
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

    @Test
    void aLaneIsAnnouncedShortlyBeforeEachCheckpoint() throws Exception {
        int inTime = 0;
        for (int i = 0; i < 200; i++) {
            bench.arrive(0, generation("r" + i, bench.now(), i + 1, i + 2));
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
        bench.arrive(0, generation("a", START, 1));
        bench.advance(1000);
        long first = only(bench.manifests()).getVersion();
        Lane lane = new Lane(Lane.State.begin(LANE), PublishingOptions.defaults(), LaneLearning.Options.defaults());
        lane.cadence().makeDue(AnnouncementCause.CADENCE);
        assertThat(lane.announce(first + 1_000_000, Samples.MODELS.identity(LANE), 1))
                .isPresent();
        lane.cadence().makeDue(AnnouncementCause.CADENCE);
        long next = lane.announce(first, Samples.MODELS.identity(LANE), 1)
                .orElseThrow()
                .manifest()
                .getVersion();
        assertThat(next).isEqualTo(first + 1_000_001);
    }

    @Test
    void whileTheStoreFailsTheAnnouncedVersionStaysAndAnEventSaysSo() throws Exception {
        bench.arrive(0, generation("a", START, 1));
        bench.advance(1000);
        bench.manifests();
        FaultyStore.failNext(2);
        bench.arrive(0, generation("b", bench.now(), 2));
        bench.advance(1500);
        assertThat(bench.manifests()).isEmpty();
        assertThat(bench.events())
                .anySatisfy(event -> assertThat(event.getKind()).isEqualTo(EventKind.STORE_UNAVAILABLE));
        bench.advance(10_000);
        assertThat(bench.documents(only(bench.manifests()))).containsExactly("[1]", "[2]");
        assertBalanced(bench.accounting());
    }

    /** Time stands still here: no timer folds. */
    @Test
    void whereMoreComesThanMayWaitItIsFoldedBeforeAnythingElseIsTakenIn() throws Exception {
        withRoomFor(10);
        for (int i = 0; i < 35; i++) {
            bench.arrive(0, generation("r" + i, START, i, i + 1));
        }
        bench.advance(5_000);
        assertThat(bench.accounting())
                .containsEntry("tokensAdmitted", 70L)
                .containsEntry("tokensLive", 70L)
                .containsEntry("tokensPending", 0L);
    }

    @Test
    void whileTheStoreFailsNoMoreWaitsThanMayAndThenTheTaskFailsSoThatTheSourceWaits() throws Exception {
        withRoomFor(10);
        FaultyStore.failNext(1_000);
        for (int i = 0; i < 10; i++) {
            bench.arrive(0, generation("r" + i, START, 1, 2));
        }
        assertThatThrownBy(() -> bench.arrive(0, generation("one more", START, 1, 2)))
                .hasStackTraceContaining("22 tokens wait, which is as much as may, and cannot be folded: ");
        FaultyStore.failNext(0);
    }

    /** What failed before the lane was full says nothing of the store as it is now. */
    @Test
    void aFullLaneTriesAFoldBeforeItFails() throws Exception {
        withRoomFor(10);
        FaultyStore.failNext(2); // a sweep's listing, too
        bench.arrive(0, generation("r", START, 1, 2));
        bench.advance(1_000);
        assertThat(bench.told(EventKind.STORE_UNAVAILABLE)).hasSize(1);
        for (int i = 0; i < 10; i++) {
            bench.arrive(0, generation("r" + i, START, i, 2));
        }
        assertThat(bench.storedFiles(LANE)).isNotEmpty();
    }

    /** Sooner or later it is given up; a task that failed instead would begin to count anew, and find its lane full again. */
    @Test
    void aFullLaneWhoseNewestFileIsLostGoesOnWithWhatWaits() throws Exception {
        withRoomFor(10);
        bench.arrive(0, generation("old", START, 7, 8, 9));
        bench.advance(1_000);
        SnapshotManifest manifest = only(bench.manifests());
        OperatorSubtaskState checkpoint = bench.checkpoint();
        Files.delete(folder.resolve(manifest.getSegments().get(0).getPath()));
        bench.restore(checkpoint);
        for (int i = 0; i < 12; i++) {
            bench.arrive(0, generation("r" + i, bench.now(), i, 2));
        }
        bench.advance(40_000);
        assertThat(bench.told(EventKind.SEGMENT_LOST)).hasSize(1);
        List<SnapshotManifest> manifests = bench.manifests();
        assertThat(bench.documents(manifests.get(manifests.size() - 1))).hasSize(12);
    }

    @Test
    void aDeleteTakesWhatWaitsAtOnceWhileTheStoreFails() throws Exception {
        FaultyStore.failNext(1_000);
        bench.arrive(0, generation("a", START, 1, 2, 3), generation("b", START, 4, 5));
        bench.advance(1_000);
        bench.control(Samples.deleteRequest("d", "acme", "a", bench.now()));
        bench.advance(40_000);
        assertThat(bench.accounting()).containsEntry("tokensPending", 2L).containsEntry("tokensDeleted", 3L);
        FaultyStore.failNext(0);
        bench.advance(40_000);
        List<SnapshotManifest> manifests = bench.manifests();
        assertThat(bench.documents(manifests.get(manifests.size() - 1))).containsExactly("[4, 5]");
        assertBalanced(bench.accounting());
    }

    /** The bench's lanes have room for so many generations of two tokens that wait. */
    private void withRoomFor(int generations) throws Exception {
        bench.close();
        long bytes = generations * generation("r", START, 1, 2).heapBytes();
        bench = new PublisherBench(folder, options(3, 4, Duration.ofMinutes(15), bytes), START);
    }

    @Test
    void lanesDoNotMix() throws Exception {
        bench.arrive(0, generation("a", START, 66, 67, 68));
        bench.arrive(0, generation(OTHER_LANE, 0, "a", START, 1, 2));
        bench.advance(1000);
        for (SnapshotManifest manifest : bench.manifests()) {
            boolean acme = manifest.getLane().getScope().equals("acme");
            assertThat(bench.documents(manifest)).containsExactly(acme ? CANARY : "[1, 2]");
            assertThat(manifest.getSegments().get(0).getPath())
                    .startsWith("segments/" + (acme ? LANE : OTHER_LANE) + "/");
        }
    }

    @Test
    void underLoadThereAreNeverMoreThanFourSegmentsAndTheBooksBalance() throws Exception {
        bench.close();
        bench = new PublisherBench(folder, options(64, 40), START);
        int tokens = 0;
        for (int i = 0; i < 60; i++) {
            bench.arrive(i % 8, generation(LANE, i % 8, "r" + i, bench.now(), i, i + 1, i + 2, i + 3, i + 4));
            tokens += 5;
            bench.advance(1000);
            for (SnapshotManifest manifest : bench.manifests()) {
                assertThat(manifest.getSegments()).hasSizeLessThanOrEqualTo(4);
                assertThat(manifest.getSegments().stream().filter(segment -> segment.getRole() == SegmentRole.NEWEST))
                        .hasSizeLessThanOrEqualTo(1);
            }
            assertBalanced(bench.accounting());
        }
        bench.arrive(0, generation("end", bench.now(), 1));
        bench.advance(3000);
        List<SnapshotManifest> last = bench.manifests();
        assertThat(bench.documents(last.get(last.size() - 1))).hasSize(61);
        assertThat(bench.accounting()).containsEntry("tokensLive", (long) tokens + 1);
    }

    @Test
    void outcomesStandInTheNextManifest() throws Exception {
        bench.arrive(0, generation("a", START, 1));
        bench.input(LaneMessage.of(new LaneOutcome(LANE, new LaneOutcome.Totals(3, 30, 200, 40, 70))));
        bench.advance(1000);
        assertThat(only(bench.manifests()).getStatistics()).isEqualTo(new LaneStatistics(3L, 30L, 200L, 40L, 70L));
    }

    @Test
    void whatWorkersSayOfALaneThatNoGenerationHasNamedMakesNoLane() throws Exception {
        bench.input(LaneMessage.of(new LaneOutcome("other@9/acme", new LaneOutcome.Totals(1, 2, 3, 1, 3))));
        bench.input(LaneMessage.of(new LaneOutcome("toy@1/nobody", new LaneOutcome.Totals(1, 2, 3, 1, 3))));
        bench.input(LaneMessage.of(new LaneMessage.WorkerReport("toy@1/nobody", "worker-1", 7, START)));
        bench.arrive(0, generation("a", START, 1));
        bench.advance(3000);
        assertThat(only(bench.manifests()).getLane().getModel()).isEqualTo("toy");
        assertThat(bench.events())
                .allSatisfy(event -> assertThat(event.getLane().getScope()).isEqualTo("acme"));
    }

    /** Topic events forgets it after a week. */
    @Test
    void theAccountOfALaneThatRestsIsToldAgainEachDay() throws Exception {
        bench.arrive(0, generation("a", START, 1, 2, 3));
        bench.advance(5_000);
        Map<String, Long> account = bench.accounting();
        bench.advance(3_600_000);
        assertThat(bench.told(EventKind.ACCOUNTING)).isEmpty();
        bench.advance(LaneRound.ACCOUNTED_AGAIN_MILLIS);
        assertThat(bench.told(EventKind.ACCOUNTING))
                .singleElement()
                .satisfies(event -> assertThat(event.getNumbers()).isEqualTo(account));
    }

    /** While a checkpoint is written, whatever of the state is asked for is copied. */
    @Test
    void aCommandAsksForNoLaneThatItDoesNotConcern() throws Exception {
        bench.arrive(0, generation("a", START, 1, 2), generation(OTHER_LANE, 0, "b", START, 3, 4));
        bench.advance(2_000);
        StateCell<Lane> acme = bench.held(LANE);
        StateCell<Lane> zenith = bench.held(OTHER_LANE);
        OperatorSnapshotFutures checkpoint = bench.beginCheckpoint();
        bench.control(Samples.deleteRequest("d1", "acme", "a", bench.now()));
        checkpoint.cancel();
        assertThat(bench.held(OTHER_LANE)).isSameAs(zenith);
        assertThat(bench.held(LANE)).isNotSameAs(acme);
    }
}
