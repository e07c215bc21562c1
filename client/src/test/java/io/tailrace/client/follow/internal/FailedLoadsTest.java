package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.control;
import static io.tailrace.client.follow.internal.Manifests.manifest;
import static io.tailrace.client.follow.internal.Manifests.manifestOf;
import static io.tailrace.client.follow.internal.Manifests.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.LaneState;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version that cannot be loaded changes nothing, and is tried again unless it was refused. */
class FailedLoadsTest {
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
    void failedLoadChangesNothingAndIsTriedAgain() throws IOException {
        bench.poll(manifest(10));
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        byte[] bytes = bench.takeAway(gone);
        bench.poll(manifestOf(20, gone));
        LaneState failed = bench.stateIn(50);
        assertThat(failed.loadedVersion()).isEqualTo(10);
        assertThat(failed.announcedVersion()).isEqualTo(20);
        assertThat(failed.failures()).isEqualTo(1);
        assertThat(failed.lastFailure()).contains("NoSuchFile");
        assertThat(failed.refreshAgeMillis()).isEqualTo(50);
        bench.putBack(gone, bytes);
        bench.poll();
        assertThat(bench.live()).as("not before the backoff has passed").isEqualTo(10);
        bench.advance(200);
        bench.poll();
        assertThat(bench.live()).isEqualTo(20);
    }

    @Test
    void versionThatKeepsFailingIsTriedAgainAtTheLongestWait() throws IOException {
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        byte[] bytes = bench.takeAway(gone);
        bench.poll(manifestOf(20, gone));
        for (int i = 0; i < 30; i++) {
            bench.advance(30_000);
            bench.poll();
        }
        assertThat(bench.state().failures()).isEqualTo(31);
        bench.advance(29_000);
        bench.poll();
        assertThat(bench.state().failures()).isEqualTo(31);
        bench.putBack(gone, bytes);
        bench.advance(1_000);
        bench.poll();
        assertThat(bench.live()).isEqualTo(20);
    }

    @Test
    void refusedManifestIsNotTriedAgain() {
        SnapshotManifest foreign = manifest(20);
        foreign.setTokenizerFingerprint("other");
        bench.poll(foreign);
        bench.advance(60_000);
        bench.poll();
        assertThat(bench.state().failures()).isEqualTo(1);
        assertThat(bench.state().lastFailure()).contains("expected tokenizer tok, got other");
    }

    @Test
    void aWorkerThatBeginsServesTheNewestVersionThatLoads() throws IOException {
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        byte[] bytes = bench.takeAway(gone);
        SegmentReference damaged = segment(store, SegmentRole.NEWEST, 4, 5, 6);
        bench.takeAway(damaged);
        bench.putBack(damaged, new byte[] {1, 2, 3});
        SnapshotManifest foreign = manifest(40);
        foreign.setTokenizerFingerprint("other");
        bench.poll(manifest(10), manifest(20), manifestOf(30, damaged), foreign, manifestOf(50, gone));
        for (int i = 0; i < 4; i++) {
            bench.poll();
        }
        assertThat(bench.live()).isEqualTo(20);
        assertThat(bench.state().failures()).isEqualTo(3);
        assertThat(bench.state().announcedVersion()).isEqualTo(50);

        bench.putBack(gone, bytes);
        bench.advance(200);
        bench.poll();
        assertThat(bench.live()).isEqualTo(50);
    }

    @Test
    void aVersionThatIsHeldHasNoStandIn() throws IOException {
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        bench.takeAway(gone);
        bench.poll(manifestOf(20, gone));
        bench.command(control(Command.PIN, 20L, bench.now()));
        bench.poll(manifest(10));
        bench.advance(60_000);
        bench.poll();
        assertThat(bench.live()).isZero();
    }
}
