package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static io.tailrace.operators.publishing.PublisherBench.START;
import static io.tailrace.operators.publishing.PublisherBench.assertBalanced;
import static io.tailrace.operators.publishing.PublisherBench.only;
import static io.tailrace.operators.publishing.PublisherBench.tombstones;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a lane goes on after a failure: from the state of its checkpoint, and from what it hears back of versions that were announced after that. */
final class PublisherRestoreTest {
    private static final long DAY_MILLIS = 86_400_000;

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
    void aFoldLostInAFailureIsPlannedAgainAndNothingIsDoubled() throws Exception {
        bench.arrive(0, generation("a", START, 1, 2, 3));
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
        bench.arrive(0, generation("a", START, 1, 2, 3));
        bench.advance(1000);
        SnapshotManifest first = only(bench.manifests());
        bench.restore(bench.checkpoint());
        bench.arrive(0, generation("b", bench.now(), 4));
        bench.advance(3000);

        List<SnapshotManifest> after = bench.manifests();
        assertThat(after.get(0).getParentVersion()).isEqualTo(first.getVersion());
        assertThat(bench.documents(after.get(after.size() - 1))).containsExactly("[1, 2, 3]", "[4]");
        assertBalanced(bench.accounting());
    }

    /** Its last announcement may have been lost with a transaction that the brokers gave up. */
    @Test
    void aLaneWithoutTrafficIsAnnouncedOnceMoreAfterARestore() throws Exception {
        bench.arrive(0, generation("a", START, 1, 2, 3));
        bench.advance(1000);
        SnapshotManifest first = only(bench.manifests());
        bench.restore(bench.checkpoint());
        bench.advance(10_000);
        SnapshotManifest again = only(bench.manifests());
        assertThat(again.getCause()).isEqualTo(AnnouncementCause.RESTORE);
        assertThat(again.getVersion()).isGreaterThan(first.getVersion());
        assertThat(again.getSegments()).isEqualTo(first.getSegments());
    }

    private void hearOf(SnapshotManifest manifest) throws Exception {
        hear(manifest.getVersion());
    }

    @Test
    void aVersionAnnouncedAfterTheRestoredCheckpointIsSupersededAndWithdrawn() throws Exception {
        bench.arrive(0, generation("a", START, 1));
        bench.advance(1000);
        OperatorSubtaskState old = bench.checkpoint();
        bench.arrive(0, generation("canary", bench.now(), 66, 67, 68));
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

    /** The checkpoint was complete and its transaction, which held the withdrawal, was lost: the job was away for longer than the brokers keep one. */
    @Test
    void aWithdrawalThatMayHaveBeenLostIsRepeatedAfterARestore() throws Exception {
        bench.arrive(0, generation("keep", START, 1, 2), generation("canary", START, 66, 67, 68));
        bench.advance(1000);
        String deleted = LANE + "#" + only(bench.manifests()).getVersion();
        bench.control(Samples.deleteRequest("d1", "acme", "canary", bench.now()));
        bench.advance(3000);
        assertThat(tombstones(bench.published())).containsExactly(deleted);
        OperatorSubtaskState after = bench.checkpoint();

        bench.advance(Duration.ofHours(1).toMillis());
        for (int times = 0; times < 2; times++) {
            bench.restore(after);
            bench.advance(2000);
            List<PublisherBench.Published> published = bench.published();
            assertThat(published.get(0).manifest().getCause()).isEqualTo(AnnouncementCause.RESTORE);
            assertThat(tombstones(published)).containsExactly(deleted);
            after = bench.checkpoint();
        }
    }

    @Test
    void whatWasWithdrawnLongAgoOrBeforeManyOthersIsNotRepeated() {
        Versions versions = new Versions(Versions.State.NONE, PublishingOptions.defaults());
        versions.isStranger(new LaneMessage.AnnouncedVersion(LANE, START - 2, 1, START));
        versions.announce(retained(START), START);
        long later = START + Versions.WITHDRAWAL_MILLIS;
        versions.isStranger(new LaneMessage.AnnouncedVersion(LANE, START - 1, 1, START));
        versions.announce(retained(later), later);
        assertThat(versions.state().withdrawn()).hasSize(2);
        versions.isStranger(new LaneMessage.AnnouncedVersion(LANE, START - 3, 1, START));
        versions.announce(retained(later + 1), later + 1);
        assertThat(versions.state().withdrawn())
                .extracting(Versions.Withdrawal::version)
                .containsExactly(START - 1, START - 3);
        for (int i = 0; i < Versions.WITHDRAWALS_MAX; i++) {
            versions.isStranger(new LaneMessage.AnnouncedVersion(LANE, 1 + i, 1, START));
        }
        versions.announce(retained(later + 2), later + 2);
        assertThat(versions.state().withdrawn())
                .hasSize(Versions.WITHDRAWALS_MAX)
                .noneMatch(withdrawal -> withdrawal.version() == START - 1);
    }

    /** As of a state that was checkpointed while a clock was wrong. */
    @Test
    void aVersionThatNoClockReachesIsWithdrawnAndNotCountedOnFrom() throws Exception {
        bench.arrive(0, generation("a", START, 1));
        bench.advance(1000);
        hear(Long.MAX_VALUE - 1);
        hear(START + DAY_MILLIS);
        bench.advance(2000);
        List<PublisherBench.Published> published = bench.published();
        SnapshotManifest last = published.stream()
                .map(PublisherBench.Published::manifest)
                .filter(manifest -> manifest != null)
                .reduce((one, other) -> other)
                .orElseThrow();
        assertThat(last.getVersion()).isBetween(START, bench.now());
        assertThat(tombstones(published))
                .contains(LANE + "#" + (Long.MAX_VALUE - 1), LANE + "#" + (START + DAY_MILLIS));
    }

    @Test
    void aClockThatWasADayAheadIsNotFollowedOnceItIsRight() {
        Versions versions = new Versions(Versions.State.NONE, PublishingOptions.defaults());
        long ahead = START + DAY_MILLIS;
        versions.announce(retained(ahead), ahead);
        assertThat(versions.next(ahead)).as("its own clock").isEqualTo(ahead + 1);
        assertThat(versions.next(START)).isEqualTo(START);
        assertThat(versions.announce(retained(START), START)).containsExactly(ahead);
        assertThat(versions.last()).isEqualTo(START);
    }

    /** The brokers' clock says which of both is right. */
    @Test
    void aClockThatIsADayBehindNumbersVersionsFromTheLastOne() {
        Versions versions = new Versions(Versions.State.NONE, PublishingOptions.defaults());
        long behind = START - DAY_MILLIS;
        versions.announce(retained(START), START);
        versions.onWorker(new LaneMessage.WorkerReport(LANE, "w", START, START + 900));
        assertThat(versions.next(behind)).isEqualTo(START + 1);
        assertThat(versions.announce(retained(START + 1), behind)).isEmpty();
        Versions restored = new Versions(versions.state(), PublishingOptions.defaults());
        restored.restored(behind);
        assertThat(restored.next(behind)).isEqualTo(START + 2);
        assertThat(restored.isStranger(new LaneMessage.AnnouncedVersion(LANE, START + 50, 1, START + 60)))
                .as("announced after the savepoint")
                .isTrue();
        assertThat(restored.next(behind)).isEqualTo(START + 51);
    }

    /** Topic snapshots then holds what was written last under the number, and its files are kept by nobody. */
    @Test
    void aVersionWhoseNumberAnotherJobChoseTooIsWithdrawn() {
        Versions versions = new Versions(Versions.State.NONE, PublishingOptions.defaults());
        versions.announce(retained(START), START);
        assertThat(versions.isStranger(new LaneMessage.AnnouncedVersion(LANE, START, 1, START)))
                .as("its own")
                .isFalse();
        assertThat(versions.isStranger(new LaneMessage.AnnouncedVersion(LANE, START, 0, START)))
                .as("of a job before it")
                .isTrue();
        assertThat(versions.retained()).isEmpty();
        assertThat(versions.announce(retained(START + 1), START)).containsExactly(START);
    }

    @Test
    void brokersThatWereADayAheadAreNotBelievedLonger() {
        Versions versions = new Versions(Versions.State.NONE, PublishingOptions.defaults());
        versions.isStranger(new LaneMessage.AnnouncedVersion(LANE, START + DAY_MILLIS, 1, START + DAY_MILLIS));
        assertThat(versions.next(START)).isEqualTo(START + DAY_MILLIS + 1);
        versions.onWorker(new LaneMessage.WorkerReport(LANE, "w", START, START));
        assertThat(versions.next(START)).isEqualTo(START);
    }

    private void hear(long version) throws Exception {
        bench.input(LaneMessage.of(new LaneMessage.AnnouncedVersion(LANE, version, PublisherBench.EPOCH, bench.now())));
    }

    private static RetainedVersion retained(long version) {
        return new RetainedVersion(version, 1, List.of(), null, 0, false);
    }

    @Test
    void theOwnAnnouncementsHeardBackChangeNothing() throws Exception {
        bench.arrive(0, generation("a", START, 1));
        bench.advance(2000);
        hearOf(only(bench.manifests()));
        bench.advance(5000);
        assertThat(bench.published()).isEmpty();
    }

    @Test
    void ofALaneThatTheStateNeverHadEveryVersionIsWithdrawn() throws Exception {
        hear(START + 100_000);
        hear(START + 90_000);
        bench.advance(2000);
        List<PublisherBench.Published> published = bench.published();
        assertThat(published.get(0).manifest().getVersion()).isEqualTo(START + 100_001);
        assertThat(published.get(0).manifest().getSegments()).isEmpty();
        assertThat(tombstones(published))
                .containsExactly(LANE + "#" + (START + 100_000), LANE + "#" + (START + 90_000));
    }
}
