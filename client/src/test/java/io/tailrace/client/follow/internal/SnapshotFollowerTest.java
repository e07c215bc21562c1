package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.FollowerBench.START;
import static io.tailrace.client.follow.internal.Manifests.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.follow.LaneState;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker makes of topic snapshots: which version goes live when, and in which lanes. */
class SnapshotFollowerTest {
    @TempDir
    Path store;

    @TempDir
    Path cache;

    private FollowerBench bench;

    @BeforeEach
    void open() throws IOException {
        bench = new FollowerBench(store, cache);
    }

    @Test
    void loadsNothingBeforeTheTopicsAreRead() {
        bench.topicsEndAt(2, 0);
        bench.readMore(manifest(10));
        assertThat(bench.follower().caughtUp()).isFalse();
        assertThat(bench.live()).isZero();
        bench.readMore(manifest(20));
        assertThat(bench.follower().caughtUp()).isTrue();
        assertThat(bench.live()).as("the newest at once").isEqualTo(20);
        assertThat(bench.state().loads()).isEqualTo(1);
    }

    @Test
    void announcedVersionGoesLiveAndItsFreshnessCounts() {
        bench.poll();
        bench.advance(5_000);
        bench.poll(manifest(10, START - 1, START + 1_000, START + 3_000));
        LaneState state = bench.state();
        assertThat(state.loadedVersion()).isEqualTo(10);
        assertThat(state.freshnessSamples())
                .as("what was completed before the start is none")
                .isEqualTo(2);
        assertThat(state.freshnessP50Millis()).isBetween(2_000L, 2_020L);
        assertThat(state.freshnessP99Millis()).isBetween(4_000L, 4_040L);
        assertThat(state.refreshAgeMillis()).isZero();
    }

    /** A job that takes over may number below what one before it still announced. */
    @Test
    void howLongAnAnnouncedVersionWaitsCountsFromWhenItBecameTheNewest() {
        bench.poll();
        bench.holdLoads();
        bench.poll(ofEpoch(30, 1));
        bench.advance(5_000);
        bench.poll(ofEpoch(20, 2));
        assertThat(bench.state().announcedVersion()).isEqualTo(20);
        assertThat(bench.stateIn(9).refreshAgeMillis()).isEqualTo(9);
        bench.poll(ofEpoch(15, 2));
        assertThat(bench.stateIn(10).refreshAgeMillis())
                .as("it is not the newest")
                .isEqualTo(10);
    }

    private static SnapshotManifest ofEpoch(long version, long epoch) {
        SnapshotManifest manifest = manifest(version);
        manifest.setEpoch(epoch);
        return manifest;
    }

    @Test
    void versionsSkippedWhileOneLoadsCountWhenTheNewestIsLive() {
        bench.poll();
        bench.holdLoads();
        bench.poll(manifest(10, START + 1));
        bench.poll(manifest(20, START + 2));
        bench.poll(manifest(30, START + 3));
        bench.runWaitingLoads();
        bench.poll();
        bench.runWaitingLoads();
        assertThat(bench.live()).isEqualTo(30);
        assertThat(bench.state().loads()).as("20 was never loaded").isEqualTo(2);
        assertThat(bench.state().freshnessSamples()).isEqualTo(3);
    }

    @Test
    void ownGenerationsGoOnceTheLoadedSnapshotHoldsThem() {
        bench.poll();
        bench.lane().finished("a", RememberedAnswer.of(new int[] {1, 2, 3}), START + 100);
        bench.lane().finished("b", RememberedAnswer.of(new int[] {4, 5, 6, 7}), START + 200);
        assertThat(bench.state().freshTokens()).isEqualTo(7);
        bench.poll(manifest(10, START + 100));
        assertThat(bench.state().freshTokens()).isEqualTo(4);
        bench.poll(manifest(20, START + 200));
        assertThat(bench.state().freshTokens()).isZero();
    }

    @Test
    void manifestsOfOtherModelsMakeNoLane() {
        SnapshotManifest other = manifest(10);
        other.getLane().setModel("other");
        bench.poll(other);
        assertThat(bench.lanes().all()).isEmpty();
    }

    @Test
    void lanesAreLimited() {
        for (int i = 0; i < 5; i++) {
            SnapshotManifest manifest = manifest(10);
            manifest.getLane().setScope("scope-" + i);
            bench.poll(manifest);
        }
        assertThat(bench.lanes().all()).hasSize(3);
        ServedLane beyond = bench.lanes().ofRequest("one-more");
        beyond.finished("a", RememberedAnswer.of(new int[] {1, 2, 3}), bench.now());
        assertThat(beyond.lane().scope()).isEqualTo("one-more");
        assertThat(beyond.live().followed()).isFalse();
        assertThat(beyond.live().version()).isZero();
        assertThat(beyond.state(bench.now()).freshTokens()).isZero();
        assertThat(bench.lanes().all()).hasSize(3).allMatch(lane -> lane.live().followed());
    }

    @Test
    void recordThatCannotBeReadIsSkippedAndCounted() {
        bench.poll();
        bench.putOnSnapshots("k", new byte[] {1, 2, 3});
        bench.putOnControl("k", new byte[] {1, 2, 3});
        bench.putOnSnapshots("no version", null);
        bench.follower().poll();
        assertThat(bench.follower().skippedRecords()).isEqualTo(3);
        bench.poll(manifest(10));
        assertThat(bench.live()).isEqualTo(10);
    }

    @Test
    void missingTopicIsNamed() {
        bench.loseTopicSnapshots();
        assertThatThrownBy(bench.follower()::poll).hasMessageContaining("topic p-snapshots does not exist");
    }
}
