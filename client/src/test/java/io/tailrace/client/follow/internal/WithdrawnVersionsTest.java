package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.manifest;
import static io.tailrace.client.follow.internal.Manifests.manifestOf;
import static io.tailrace.client.follow.internal.Manifests.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version that was withdrawn is left, even for none at all, and its files leave the worker's disk. */
class WithdrawnVersionsTest {
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
    void withdrawnVersionsAreLeft() {
        bench.poll(manifest(10), manifest(20));
        bench.tombstone(LANE, 20);
        assertThat(bench.live()).isEqualTo(10);
        assertThat(bench.stateIn(9).announcedVersion()).isEqualTo(10);
        assertThat(bench.stateIn(9).refreshAgeMillis()).isZero();
        bench.tombstone(LANE, 10);
        assertThat(bench.live()).as("nothing is left to serve").isZero();
    }

    /** As a device does: what it has would still be drafted from. */
    @Test
    void whoHasACopyOfALaneHearsOfEachVersionThatItLeaves() {
        bench.poll(manifest(10));
        List<Long> live = new ArrayList<>();
        bench.lane().onChange(() -> live.add(bench.live()));
        bench.poll(manifest(20));
        bench.tombstone(LANE, 20);
        bench.tombstone(LANE, 10);
        assertThat(live).containsExactly(20L, 10L, 0L);
    }

    /** What was deleted must not be drafted from because a disk is full or a store is away. */
    @Test
    void aWithdrawnVersionIsNotDraftedFromWhileItsSuccessorFails() throws IOException {
        bench.poll(manifest(10));
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        byte[] bytes = bench.takeAway(gone);
        bench.poll(manifestOf(20, gone));
        bench.tombstone(LANE, 10);
        assertThat(bench.live()).as("its successor is on its way").isEqualTo(10);
        bench.advance(200);
        bench.poll();
        assertThat(bench.live()).isZero();
        bench.putBack(gone, bytes);
        bench.advance(1_000);
        bench.poll();
        assertThat(bench.live()).isEqualTo(20);
    }

    @Test
    void aWithdrawnVersionIsNotDraftedFromForLongWhileItsSuccessorIsLoaded() throws IOException {
        bench.poll(manifest(10));
        bench.holdLoads();
        bench.poll(manifestOf(20, segment(store, SegmentRole.NEWEST, 1, 2, 3)));
        bench.tombstone(LANE, 10);
        bench.advance(VersionLoads.WITHDRAWN_MILLIS_MAX - 1);
        bench.poll();
        assertThat(bench.live()).isEqualTo(10);
        bench.advance(1);
        bench.poll();
        assertThat(bench.live()).isZero();
        bench.runWaitingLoads();
        assertThat(bench.live()).isEqualTo(20);
    }

    /** A job that was restored withdraws once more what it withdrew before; a worker that reads again finds it gone. */
    @Test
    void aVersionThatIsWithdrawnTwiceIsNotDraftedFromForLonger() throws IOException {
        bench.poll(manifest(10));
        bench.holdLoads();
        bench.poll(manifestOf(20, segment(store, SegmentRole.NEWEST, 1, 2, 3)));
        bench.tombstone(LANE, 10);
        bench.advance(VersionLoads.WITHDRAWN_MILLIS_MAX);
        bench.tombstone(LANE, 10);
        assertThat(bench.live()).isZero();
    }

    @Test
    void aClockThatIsSetBackMakesNoWithdrawnVersionStay() throws IOException {
        long day = Duration.ofDays(1).toMillis();
        bench.poll(manifest(10));
        bench.holdLoads();
        bench.advance(day);
        bench.poll(manifestOf(20, segment(store, SegmentRole.NEWEST, 1, 2, 3)));
        bench.tombstone(LANE, 10);
        bench.advance(-day);
        bench.poll();
        bench.advance(VersionLoads.WITHDRAWN_MILLIS_MAX);
        bench.poll();
        assertThat(bench.live()).isZero();
    }

    @Test
    void aWithdrawnVersionsFilesLeaveTheDiskOnceNoOtherVersionNamesThem() throws IOException {
        SegmentReference deleted = segment(store, SegmentRole.OLDER, 1, 2, 3);
        SegmentReference shared = segment(store, SegmentRole.NEWEST, 4, 5, 6);
        bench.poll(manifestOf(10, deleted, shared));
        bench.poll(manifestOf(20, shared));
        assertThat(bench.cached(deleted)).as("version 10 can be gone back to").exists();
        bench.tombstone(LANE, 10);
        assertThat(bench.cached(deleted)).doesNotExist();
        assertThat(bench.cached(shared)).exists();
        bench.tombstone(LANE, 20);
        assertThat(bench.live()).isZero();
        bench.follower().poll();
        assertThat(bench.cached(shared)).doesNotExist();
    }

    @Test
    void whatNoVersionNamesAnyMoreLeavesTheDiskAtTheStartAndNotBeforeTheTopicsAreRead() throws IOException {
        SegmentReference kept = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        SegmentReference withdrawn = segment(store, SegmentRole.OLDER, 4, 5, 6);
        for (SegmentReference file : List.of(kept, withdrawn)) {
            Files.copy(store.resolve(file.getPath()), bench.cached(file));
            Files.setLastModifiedTime(
                    bench.cached(file), FileTime.from(Instant.now().minus(Duration.ofMinutes(2))));
        }
        bench.topicsEndAt(2, 0);
        bench.readMore(manifestOf(10, kept));
        assertThat(bench.cached(withdrawn))
                .as("a manifest that is yet to come may name it")
                .exists();
        bench.readMore(manifestOf(20, kept));
        assertThat(bench.cached(withdrawn)).doesNotExist();
        assertThat(bench.cached(kept)).exists();
    }
}
