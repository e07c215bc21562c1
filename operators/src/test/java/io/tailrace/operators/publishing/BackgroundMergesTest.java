package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.MODELS;
import static io.tailrace.operators.Samples.OTHER_LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.SideThreads;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.suffix.segment.Retention;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which work waits for which, and what is swept. */
@Timeout(60)
final class BackgroundMergesTest {
    private static final int THREADS = 2;

    @TempDir
    Path folder;

    private final CountDownLatch waiting = new CountDownLatch(THREADS);
    private final CountDownLatch released = new CountDownLatch(1);

    /** Gives the files of one lane only when it is told to. */
    private final class SlowStore implements DurableStore {
        private final DurableStore behind;

        SlowStore() throws IOException {
            this.behind = FlinkFileStore.factory(folder.toUri()).open();
        }

        @Override
        public void put(Path localFile, String path, String sha256) throws IOException {
            behind.put(localFile, path, sha256);
        }

        @Override
        public void fetch(String path, Path localFile) throws IOException {
            if (path.contains("zenith")) {
                waiting.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException(path);
                }
            }
            behind.fetch(path, localFile);
        }

        @Override
        public void delete(String path) throws IOException {
            behind.delete(path);
        }

        @Override
        public List<StoredFile> list(String path) throws IOException {
            return behind.list(path);
        }
    }

    private static LaneWork work(String lane) {
        return new LaneWork(
                lane,
                PublishingOptions.defaults(),
                MODELS,
                new CheckpointRhythm(),
                WaitingRoom.ofThisProcess(),
                new UnregisteredMetricsGroup());
    }

    private static MergePlan plan(MergePlan.Kind kind, String lane, LiveSegment input) {
        return new MergePlan(kind, lane, List.of(input), List.of(), null, Retention.everything(), 0, 0);
    }

    private static MergePlan.Outcome outcome(LaneWork work) {
        MergePlan.Outcome outcome = work.results.poll();
        while (outcome == null) {
            Thread.onSpinWait();
            outcome = work.results.poll();
        }
        return outcome;
    }

    @Test
    void aFoldDoesNotWaitForMergesOfOlderSegments() throws Exception {
        LaneWork folding = work(LANE);
        LaneWork merging = work(OTHER_LANE);
        BackgroundMerges merges = BackgroundMerges.open(
                MODELS,
                SlowStore::new,
                folder.resolve("scratch").toString(),
                1 << 20,
                MergeHeap.ofThisProcess(),
                SideThreads.daemons(THREADS, "merge"));
        try {
            for (int i = 0; i < THREADS; i++) {
                LiveSegment slow = Arrivals.segment(folder, generation(OTHER_LANE, i, "slow-" + i, 1, 1, 2 + i));
                merges.submit(plan(MergePlan.Kind.OLDER, OTHER_LANE, slow), merging);
            }
            waiting.await();
            LiveSegment newest = Arrivals.segment(folder, generation("request", 1, 1, 2, 3));
            merges.submit(plan(MergePlan.Kind.FOLD, LANE, newest), folding);
            assertThat(outcome(folding).merged().liveTokens()).isEqualTo(3);
            assertThat(merging.results).isEmpty();

            released.countDown();
            for (int i = 0; i < THREADS; i++) {
                assertThat(outcome(merging).merged().liveTokens()).isEqualTo(2);
            }
        } finally {
            merges.close();
        }
    }

    /** They may hold what was deleted. */
    @Test
    void whatIsSweptFromTheStoreLeavesThisDiskToo() throws Exception {
        LaneWork work = work(LANE);
        BackgroundMerges merges = BackgroundMerges.open(
                MODELS,
                FlinkFileStore.factory(folder.toUri()),
                folder.resolve("scratch").toString(),
                1 << 20,
                MergeHeap.ofThisProcess(),
                SideThreads.daemons(1, "merge"));
        try {
            LiveSegment newest = Arrivals.segment(folder, generation("request", 1, 1, 2, 3));
            merges.submit(plan(MergePlan.Kind.FOLD, LANE, newest), work);
            assertThat(outcome(work).merged().liveTokens()).isEqualTo(3);
            assertThat(segments(folder.resolve("scratch"))).isPositive();
            long now = System.currentTimeMillis();
            for (int sweeps = 0; segments(folder.resolve("segments")) > 0; sweeps++) {
                assertThat(sweeps).isLessThan(20);
                now += StoreSweep.PAUSE_MILLIS - 1;
                merges.sweep(work, Set.of(), Long.MAX_VALUE, now);
                while (work.files.sweepInFlight) {
                    Thread.onSpinWait();
                }
            }
            assertThat(segments(folder.resolve("scratch"))).isZero();
        } finally {
            merges.close();
        }
    }

    private static long segments(Path below) throws IOException {
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(file -> file.toString().endsWith(".segment")).count();
        }
    }
}
