package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static io.tailrace.operators.publishing.PublisherBench.START;
import static io.tailrace.operators.publishing.PublisherBench.assertBalanced;
import static io.tailrace.operators.publishing.PublisherBench.only;
import static io.tailrace.operators.publishing.PublisherBench.options;
import static io.tailrace.operators.publishing.PublisherBench.tombstones;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Tombstone;
import io.tailrace.operators.control.Tombstones;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.store.FaultyStore;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was deleted is in no version any more, in its time, whatever fails meanwhile. */
final class LaneDeletesTest {
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
    void aDeletedRequestIsAbsentFromTheNextVersionAndEarlierVersionsAreDropped() throws Exception {
        bench.arrive(0, generation("keep", START, 1, 2), generation("canary", START, 66, 67, 68));
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

    @Test
    void aDeleteReachesGenerationsThatComeLater() throws Exception {
        bench.control(Samples.deleteRequest("d1", "acme", "canary", START + 10));
        bench.arrive(0, generation("canary", START, 66, 67, 68), generation("keep", START, 1));
        bench.advance(1000);
        for (SnapshotManifest manifest : bench.manifests()) {
            assertThat(bench.documents(manifest)).containsExactly("[1]");
        }
        assertBalanced(bench.accounting());
    }

    @Test
    void aDeletedScopeStaysDeletedAfterRestoringAnOlderCheckpoint() throws Exception {
        bench.arrive(0, generation("canary", START, 66, 67, 68));
        bench.advance(1000);
        bench.manifests();
        OperatorSubtaskState old = bench.checkpoint();
        var delete = Samples.deleteScope("d1", "acme", bench.now());
        bench.control(delete);
        bench.advance(3000);
        assertThat(bench.documents(only(bench.manifests()))).isEmpty();

        bench.restore(old, delete);
        bench.arrive(0, generation("later", bench.now(), 1));
        bench.advance(3000);

        List<SnapshotManifest> manifests = bench.manifests();
        for (SnapshotManifest manifest : manifests) {
            assertThat(bench.documents(manifest)).doesNotContain(CANARY);
        }
        assertThat(bench.documents(manifests.get(manifests.size() - 1))).containsExactly("[1]");
        assertBalanced(bench.accounting());
    }

    /** The topics may be of another Kafka: nobody there has heard of it yet. */
    @Test
    void afterARestoreWhatIsDoneIsToldOnceMore() throws Exception {
        bench.arrive(0, generation("keep", START, 1, 2), generation("canary", START, 66, 67, 68));
        bench.advance(1000);
        long deleted = bench.now();
        var delete = Samples.deleteRequest("d1", "acme", "canary", deleted);
        bench.control(delete);
        bench.advance(3000);
        assertThat(bench.told(EventKind.DELETED)).hasSize(1);

        bench.restore(bench.checkpoint(), delete);
        bench.arrive(0, generation("later", bench.now(), 7));
        bench.advance(3000);
        assertThat(bench.told(EventKind.DELETED))
                .singleElement()
                .satisfies(event -> assertThat(number(event, "issuedTo")).isEqualTo(deleted));
        bench.arrive(0, generation("still later", bench.now(), 8));
        bench.advance(3000);
        assertThat(bench.told(EventKind.DELETED)).isEmpty();
    }

    /** Event DELETED is told once, and topic events forgets it; topic control keeps the delete. */
    @Test
    void theAccountSaysWhatIsDoneAndIsToldAgainEachDay() throws Exception {
        bench.arrive(0, generation("keep", START, 1, 2), generation("canary", START, 66, 67, 68));
        bench.advance(1000);
        long deleted = bench.now();
        bench.control(Samples.deleteRequest("d1", "acme", "canary", deleted));
        assertThat(bench.accounting().get("deletedTo")).isLessThan(deleted);
        bench.advance(3000);
        assertThat(bench.accounting()).containsEntry("deletedTo", deleted);
        bench.advance(LaneRound.ACCOUNTED_AGAIN_MILLIS + 60_000);
        assertThat(bench.accounting()).containsEntry("deletedTo", deleted);
    }

    /** Nobody tells that a delete is done in the first version of a lane: there was none that it had to leave. */
    @Test
    void inALaneThatIsMadeLaterTheDeletesFromBeforeAreDoneByItsAccount() throws Exception {
        long forgotten = START - PublishingOptions.defaults().tombstoneMillis() - 1;
        bench.control(Samples.deleteScope("forgotten", "acme", forgotten));
        bench.arrive(0, generation("keep", START + 1, 1, 2));
        bench.advance(5000);
        assertThat(bench.accounting().get("deletedTo")).isGreaterThanOrEqualTo(forgotten);
    }

    @Test
    void alsoADeleteThatIsRemembered() throws Exception {
        bench.control(Samples.deleteScope("d", "acme", START));
        bench.arrive(0, generation("keep", START + 1, 1, 2));
        bench.advance(5000);
        assertThat(bench.manifests()).isNotEmpty();
        assertThat(bench.told(EventKind.ACCOUNTING))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(number(event, "deletedTo")).isEqualTo(START));
    }

    private static long number(Event event, String name) {
        return event.getNumbers().get(name);
    }

    /** The promise does not wait for the store. */
    @Test
    void aDeleteIsDoneInItsTimeAlsoWhileTheStoreFailsAndWhatWasLeftOutComesBack() throws Exception {
        bench.close();
        bench = new PublisherBench(folder, options(64, 1 << 18, Duration.ofSeconds(5)), START);
        bench.arrive(0, generation("keep", START, 1, 2), generation("canary", START, 66, 67, 68));
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
        assertThat(bench.told(EventKind.DELETED)).singleElement().satisfies(event -> {
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

    @Test
    void aDeleteThatWasHeardWhileTheClockWasAheadIsDueInItsTime() {
        Deletes deletes = new Deletes(Deletes.State.NONE, options(64, 1 << 18, Duration.ofSeconds(5)));
        deletes.take(
                Samples.deleteRequest("d1", "acme", "canary", START),
                START + Duration.ofDays(1).toMillis());
        assertThat(deletes.isOver(0, START)).isFalse();
        assertThat(deletes.isOver(0, START + 4_900)).isFalse();
        assertThat(deletes.isOver(0, START + 5_000)).isTrue();
    }

    /** A restore holds announcements back until the deletes it finds are done, but not beyond their time. */
    @Test
    void aDeleteThatARestoreFindsIsDoneInItsTimeAlsoWhileTheStoreFails() throws Exception {
        bench.close();
        bench = new PublisherBench(folder, options(64, 1 << 18, Duration.ofSeconds(5)), START);
        bench.arrive(0, generation("canary", START, 66, 67, 68));
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

    /** Whichever reaches the lane first after a restore: its timer, or the delete that topic control brings again. */
    @Test
    void aDeleteThatARestoreFindsIsMissedAlsoWhereItIsHeardOfFirst() throws Exception {
        bench.arrive(0, generation("canary", START, 66, 67, 68));
        bench.advance(1000);
        bench.manifests();
        OperatorSubtaskState old = bench.checkpoint();
        var delete = Samples.deleteScope("d1", "acme", bench.now());
        FaultyStore.failNext(1_000_000);
        bench.restore(old, delete);
        bench.control(delete);
        bench.advance(30_000);
        assertThat(bench.published())
                .as("the store fails, so it cannot be done")
                .isEmpty();
        FaultyStore.failNext(0);
        bench.advance(40_000);
        List<SnapshotManifest> manifests = bench.manifests();
        assertThat(manifests).isNotEmpty();
        for (SnapshotManifest manifest : manifests) {
            assertThat(bench.documents(manifest)).isEmpty();
        }
    }

    private static Lane laneOf(List<LiveSegment> older, PublishingOptions options) {
        Layout.State layout = new Layout.State(older, null, List.of(), List.of(), Map.of(), Map.of(), 0, 0, 0);
        return LanesOfLayout.lane(layout, options);
    }

    /** One that is deleted after another must not keep a segment from its turn. */
    @Test
    void deletesWithoutEndAreDoneOneAfterTheOtherInEverySegment() throws Exception {
        PublishingOptions options = options(64, 1 << 18, Duration.ofSeconds(40));
        List<LiveSegment> older = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            StoredSegment stored =
                    new StoredSegment("s" + i, "c" + i, "s" + i, 1, 1, 1_000 - i, 1_000 - i, START, 0, 0);
            older.add(new LiveSegment(stored, 0, START, START, START));
        }
        Lane lane = laneOf(older, options);
        lane.cadence().makeDue(AnnouncementCause.CADENCE);
        assertThat(lane.announce(START, Samples.MODELS.identity(LANE), 1)).isPresent();
        long toldTo = 0;
        for (int i = 1; i <= 30; i++) {
            long now = START + 1_000L * i;
            lane.apply(new LaneInput.Commanded(Samples.deleteRequest("d" + i, "acme", "r" + i, now)), now);
            MergePlan plan = lane.merges(MergeHeap.ofThisProcess()).older(now).orElseThrow();
            lane.apply(new LaneInput.Commanded(Samples.deleteRequest("e" + i, "acme", "s" + i, now + 1)), now);
            StoredSegment input = plan.segments().get(0).stored();
            StoredSegment merged = new StoredSegment(
                    input.path() + "+", "c", "s", 1, 1, input.liveTokens(), input.liveTokens(), START, 0, 0);
            lane.adopt(new MergePlan.Outcome(plan, merged, 0, 0, null));
            var announcement = lane.announce(now + 900, Samples.MODELS.identity(LANE), 1);
            if (announcement.isPresent() && announcement.get().deletesDone()) {
                toldTo = lane.deletedTo();
            }
            if (i > 4) {
                assertThat(toldTo).as("after %d", i).isGreaterThanOrEqualTo(now - 4_000);
                assertThat(lane.versions().retained().get(0).tombstonesApplied())
                        .isGreaterThanOrEqualTo(2 * i - 8);
            }
        }
    }

    @Test
    void whatMergesHaveBeenGivenStaysAsItIsAndTheLanesOwnIsAddedTo() {
        Deletes deletes = new Deletes(Deletes.State.NONE, PublishingOptions.defaults());
        Tombstones given = deletes.forbidden();
        Tombstones own = deletes.arranged();
        ControlCommand delete = Samples.deleteScope("d", "acme", START);
        assertThat(deletes.take(delete, START)).isTrue();
        assertThat(given.covers(1, 2, START)).isFalse();
        assertThat(deletes.forbidden().covers(1, 2, START)).isTrue();
        assertThat(deletes.arranged()).isSameAs(own);
        assertThat(own.covers(1, 2, START)).isTrue();
        Deletes restored = new Deletes(deletes.state(), PublishingOptions.defaults());
        assertThat(restored.take(delete, START)).isFalse();
        restored.forget(1, START + PublishingOptions.defaults().tombstoneMillis() + 1);
        assertThat(restored.arranged().covers(1, 2, START)).isFalse();
        assertThat(restored.take(delete, START)).isTrue();
    }

    /** A lane that is made has no answer that it could cover, and admission lets none come. */
    @Test
    void aNewLaneTakesUpNoDeleteOfBeforeTheOldestAnswerThatItMayGet() {
        Lane lane = laneOf(List.of(), PublishingOptions.defaults());
        long since = START - PublishingOptions.defaults().tombstoneMillis();
        lane.apply(resumed(since), START);
        assertThat(lane.deletes().tombstones())
                .extracting(Tombstone::commandId)
                .containsExactlyInAnyOrder("young", "missed and young");
        assertThat(lane.deletedTo()).isGreaterThanOrEqualTo(since);
    }

    /** Of a scope that was once asked to forget a request, in all revisions for ever: it covers nothing of a lane that came later. */
    @Test
    void noRestoreTakesUpADeleteFromBeforeTheLane() throws Exception {
        long since = START - PublishingOptions.defaults().tombstoneMillis();
        Lane born = laneOf(List.of(), PublishingOptions.defaults());
        born.apply(resumed(since), START);
        born.apply(new LaneInput.Progress(new Arrivals().of(0, generation("a", START, 1, 2))), START);
        Lane restored = new Lane(born.state(), PublishingOptions.defaults(), LaneLearning.Options.defaults());
        long later = START + 1_000;
        restored.apply(resumed(since), later);
        assertThat(restored.deletes().tombstones())
                .extracting(Tombstone::commandId)
                .containsExactlyInAnyOrder("young", "missed and young");
        assertThat(restored.deletes().holdTo()).isEqualTo(born.deletes().holdTo());
    }

    @Test
    void aLaneThatHoldsSomethingTakesUpAnyDeleteThatItHasMissed() throws Exception {
        LiveSegment segment = Arrivals.segment(folder, generation("a", START, 1, 2));
        Lane lane = laneOf(List.of(segment), PublishingOptions.defaults());
        lane.apply(resumed(START - PublishingOptions.defaults().tombstoneMillis()), START);
        assertThat(lane.deletes().tombstones()).hasSize(4);
        Lane waits = laneOf(List.of(), PublishingOptions.defaults());
        waits.apply(new LaneInput.Progress(new Arrivals().of(0, generation("a", START, 1, 2))), START);
        waits.apply(resumed(START - PublishingOptions.defaults().tombstoneMillis()), START);
        assertThat(waits.deletes().tombstones()).hasSize(4);
    }

    private static LaneInput resumed(long since) {
        return new LaneInput.Resumed(
                List.of(
                        Samples.deleteRequest("old", "acme", "a", since - 1),
                        Samples.deleteRequest("young", "acme", "b", since)),
                List.of(
                        Samples.deleteScope("missed and old", "acme", since - 1),
                        Samples.deleteRequest("missed and young", "acme", "d", since)));
    }
}
