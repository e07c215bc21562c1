package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static io.tailrace.operators.publishing.PublisherBench.START;
import static io.tailrace.operators.publishing.PublisherBench.only;
import static io.tailrace.operators.publishing.PublisherBench.options;
import static io.tailrace.operators.publishing.PublisherBench.tombstones;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.WorkerPresence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which versions a lane keeps, and which files: those that are young, pinned or served by a live worker. */
final class VersionRetentionTest {
    @TempDir
    Path folder;

    private PublisherBench bench;

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    @Test
    void retentionDropsTheOldestVersionsButNotAPinnedOne() throws Exception {
        bench = new PublisherBench(folder, options(3, 1 << 18), START);
        long pinned = 0;
        for (int i = 0; i < 8; i++) {
            bench.arrive(0, generation("r" + i, bench.now(), i + 1));
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
        bench.arrive(0, generation("last", bench.now(), 99));
        bench.advance(1500);
        assertThat(bench.published().stream().map(PublisherBench.Published::key))
                .contains(LANE + "#" + pinned);
    }

    @Test
    void filesThatNothingNamesAreSweptAfterTheGracePeriodAndNoOthers() throws Exception {
        bench = new PublisherBench(folder, options(2, 1 << 18), System.currentTimeMillis());
        for (int i = 0; i < 6; i++) {
            bench.arrive(0, generation("r" + i, bench.now(), i + 1));
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
    void aVersionThatALiveWorkerServesIsKeptAndGoesWhenTheWorkerIsGone() throws Exception {
        bench = new PublisherBench(folder, options(2, 1 << 18), START);
        bench.arrive(0, generation("a", bench.now(), 1));
        bench.advance(1000);
        long served = only(bench.manifests()).getVersion();
        for (int i = 0; i < 8; i++) {
            bench.input(LaneMessage.of(new LaneMessage.WorkerReport(LANE, "worker-1", served, bench.now())));
            bench.arrive(0, generation("b" + i, bench.now(), 2 + i));
            bench.advance(1000);
        }
        assertThat(tombstones(bench.published())).isNotEmpty().noneMatch(key -> key.endsWith("#" + served));
        bench.advance(WorkerPresence.SILENT_MILLIS_MAX + 1_000);
        bench.arrive(0, generation("c", bench.now(), 99));
        bench.advance(2000);
        assertThat(tombstones(bench.published())).anyMatch(key -> key.endsWith("#" + served));
    }

    /** Topic snapshots brings each version back, also one that has been withdrawn by then. */
    @Test
    void aLaneThatKeepsOneVersionRestsOnceEachHasComeBack() throws Exception {
        bench = new PublisherBench(folder, options(1, 1 << 18), START);
        List<SnapshotManifest> heard = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            bench.arrive(0, generation("r" + i, bench.now(), i + 1));
            bench.advance(1_500);
            heard.addAll(bench.manifests());
        }
        assertThat(heard).hasSizeGreaterThanOrEqualTo(3);
        for (int round = 0; round < 5; round++) {
            for (SnapshotManifest manifest : heard) {
                bench.input(back(manifest.getVersion(), PublisherBench.EPOCH));
            }
            bench.advance(3_000);
            heard = bench.manifests();
            assertThat(heard).as("round %d", round).isEmpty();
        }
    }

    /** The topic keeps what was written last: here another job's. */
    @Test
    void aVersionOfAnotherJobIsWithdrawnAlsoWhereOneOfThatNumberWas() throws Exception {
        bench = new PublisherBench(folder, options(1, 1 << 18), START);
        bench.arrive(0, generation("a", bench.now(), 1));
        bench.advance(1_500);
        long version = only(bench.manifests()).getVersion();
        bench.arrive(0, generation("b", bench.now(), 2));
        bench.advance(1_500);
        assertThat(tombstones(bench.published())).containsExactly(LANE + "#" + version);
        bench.input(back(version, PublisherBench.EPOCH - 1));
        bench.advance(3_000);
        assertThat(tombstones(bench.published())).contains(LANE + "#" + version);
    }

    private LaneMessage back(long version, long epoch) {
        return LaneMessage.of(new LaneMessage.AnnouncedVersion(LANE, version, epoch, bench.now()));
    }
}
