package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.answer;
import static io.tailrace.client.follow.internal.Manifests.control;
import static io.tailrace.client.follow.internal.Manifests.manifest;
import static io.tailrace.client.follow.internal.Manifests.manifestOf;
import static io.tailrace.client.follow.internal.Manifests.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.internal.DamagedSegment;
import io.tailrace.client.draft.internal.DrafterMaker;
import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.LaneMakers;
import io.tailrace.client.draft.internal.OneRequest;
import io.tailrace.client.follow.LaneState;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SourceKind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
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
    void aStandInThatFailedWhileTheStoreWasAwayIsTriedAgain() throws IOException {
        SegmentReference older = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        SegmentReference newer = segment(store, SegmentRole.NEWEST, 4, 5, 6);
        byte[] olderBytes = bench.takeAway(older);
        bench.takeAway(newer);
        SnapshotManifest foreign = manifest(30);
        foreign.setTokenizerFingerprint("other");
        bench.poll(manifestOf(10, older), manifestOf(20, newer), foreign);
        passLongestWaits(10);
        assertThat(bench.live()).isZero();
        bench.putBack(older, olderBytes);
        passLongestWaits(1);
        assertThat(bench.live()).isEqualTo(10);
    }

    /** However many versions cannot be loaded, a store that is away is asked for few of them again at a time, and for each in its turn. */
    @Test
    void aStoreThatIsAwayIsAskedForFewVersionsAtATime() throws IOException {
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        SegmentReference oldest = segment(store, SegmentRole.NEWEST, 4, 5, 6);
        bench.takeAway(gone);
        byte[] bytes = bench.takeAway(oldest);
        bench.poll(manifestOf(1, oldest));
        for (int version = 2; version <= 40; version++) {
            bench.poll(manifestOf(version, gone));
        }
        passLongestWaits(10);
        long before = bench.state().failures();
        passLongestWaits(1);
        assertThat(bench.state().failures() - before).isEqualTo(1 + LoadAttempts.AGAIN_MAX);
        bench.putBack(oldest, bytes);
        passLongestWaits(5);
        assertThat(bench.live()).isEqualTo(1);
    }

    /** So many loads may follow each other after each wait. */
    private void passLongestWaits(int times) {
        for (int i = 0; i < times; i++) {
            bench.advance(30_000);
            for (int k = 0; k < 100; k++) {
                bench.poll();
            }
        }
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

    /** What was taken back stays announced, and is newer than what is live. */
    @Test
    void whatARollbackHasTakenBackIsNoStandInForItsAnswer() throws IOException {
        bench.poll(manifest(10), manifest(20));
        Control rollback = control(Command.ROLLBACK, 10L, bench.now());
        bench.command(rollback);
        assertThat(bench.live()).isEqualTo(10);
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        byte[] bytes = bench.takeAway(gone);
        SnapshotManifest answer = answer(rollback, 30);
        answer.setSegments(List.of(gone));
        bench.poll(answer);
        bench.poll();
        assertThat(bench.state().failures()).isEqualTo(1);
        assertThat(bench.live()).isEqualTo(10);
        bench.putBack(gone, bytes);
        bench.advance(200);
        bench.poll();
        assertThat(bench.live()).isEqualTo(30);
    }

    /** Each file that is truncated is fetched again, at once the first time, and then less and less often. */
    @Test
    void aVersionWhoseFileIsTruncatedWhileItIsDraftedFromIsLoadedAnew() throws IOException {
        int[] tokens = IntStream.range(0, 5_000).map(i -> i % 7).toArray();
        SegmentReference reference = segment(store, SegmentRole.NEWEST, tokens);
        bench.poll(manifestOf(10, reference));
        try (DraftSource source = adaptive(bench.lane().live())) {
            for (int i = 1; i <= 3; i++) {
                assertThat(drafted(source)).as("truncation %d", i).isTrue();
                try (RandomAccessFile file =
                        new RandomAccessFile(bench.cached(reference).toFile(), "rw")) {
                    file.setLength(0);
                }
                assertThat(drafted(source)).as("truncation %d", i).isFalse();
                assertThat(bench.live()).isZero();
                assertThat(drafted(source)).isFalse();
                assertThat(bench.state().failures()).as("counted once").isEqualTo(i);
                assertThat(bench.state().lastFailure()).contains("version 10 was damaged, truncated");
                assertThat(bench.cached(reference)).doesNotExist();
                bench.poll();
                assertThat(bench.live()).isEqualTo(i == 1 ? 10 : 0);
                bench.advance(10_000);
                bench.poll();
                assertThat(bench.live()).isEqualTo(10);
            }
            try (RandomAccessFile file =
                    new RandomAccessFile(bench.cached(reference).toFile(), "rw")) {
                file.setLength(0);
            }
            assertThat(drafted(source)).isFalse();
            bench.poll(manifestOf(20, reference));
            bench.advance(10_000);
            bench.poll();
            assertThat(bench.live()).as("the next version, with the same file").isEqualTo(20);
            assertThat(drafted(source)).isTrue();
        }
    }

    /** A model that is shown a token outside its vocabulary ends the worker's decoding. */
    @Test
    void aVersionWhoseTokensChangeOnTheDiskIsLoadedAnew() throws IOException {
        int[] tokens = IntStream.range(0, 5_000).map(i -> i % 7).toArray();
        SegmentReference reference = segment(store, SegmentRole.NEWEST, tokens);
        bench.poll(manifestOf(10, reference));
        try (DraftSource source = adaptive(bench.lane().live())) {
            assertThat(drafted(source)).isTrue();
            DamagedSegment.rotToken(bench.cached(reference), 6);
            assertThat(drafted(source)).isFalse();
            assertThat(bench.state().lastFailure())
                    .contains("version 10 was damaged")
                    .contains("tokens outside the lane's vocabulary");
            assertThat(bench.cached(reference)).doesNotExist();
            bench.poll();
            assertThat(bench.live()).isEqualTo(10);
            assertThat(drafted(source)).isTrue();
        }
    }

    private static DraftSource adaptive(LiveSnapshot live) {
        LaneMakers makers = new LaneMakers(1, () -> DrafterMaker.of(p -> new AdaptiveDrafter(Mixer.defaults(), p)));
        return new LaneDrafts("adaptive", scope -> live, makers);
    }

    /** Whether a request drafts from the newest segment. */
    private static boolean drafted(DraftSource source) {
        try (OneRequest request = new OneRequest(source, LANE.scope(), new int[] {1, 2, 3})) {
            Draft draft = request.draft(16);
            boolean newest = IntStream.range(0, draft.size()).anyMatch(node -> draft.source(node) == SourceKind.NEWEST);
            request.verified(4, 5, 6, 0);
            return newest;
        }
    }
}
