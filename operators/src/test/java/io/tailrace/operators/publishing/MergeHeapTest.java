package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.store.StoredSegment;
import io.tailrace.suffix.segment.Retention;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class MergeHeapTest {
    private static final long MIB = 1 << 20;
    private static final long HEAP = 80 * MIB; // 10 for folds, 50 for older segments

    private final MergeHeap heap = new MergeHeap(HEAP);

    @Test
    void partsAreAnEighthAndFiveEighthsOfTheHeap() {
        assertThat(heap.bytesMax(MergePlan.Kind.FOLD)).isEqualTo(10 * MIB);
        assertThat(heap.bytesMax(MergePlan.Kind.OLDER)).isEqualTo(50 * MIB);
        assertThat(heap.bytesMax(MergePlan.Kind.JUDGED_HALF_LIFE)).isEqualTo(50 * MIB);
    }

    @Test
    void lanesHaveRoomInTheHeapThatTheyNeedAndInNoSmallerOne() {
        PublishingOptions options = PublishingOptions.defaults();
        assertThatCode(() -> new MergeHeap(options.heapBytesMin()).requireRoomFor(options))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> new MergeHeap(options.heapBytesMin() - 8).requireRoomFor(options))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatFindsNoRoomWaitsAndFoldsDoNotWaitForOlderSegments() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        MergeHeap.Share older = heap.take(plan(MergePlan.Kind.OLDER, 40 * MIB));
        try {
            Future<MergeHeap.Share> waiting = threads.submit(() -> heap.take(plan(MergePlan.Kind.BUDGET, 20 * MIB)));
            heap.take(plan(MergePlan.Kind.FOLD, 10 * MIB)).close();
            assertThat(waiting.isDone()).isFalse();
            older.close();
            waiting.get().close();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void whatIsLargerThanItsPartTakesBothAndWhatIsLargerThanBothIsRefused() throws IOException {
        heap.take(plan(MergePlan.Kind.FOLD, 55 * MIB)).close();
        heap.take(plan(MergePlan.Kind.FOLD, 10 * MIB)).close();
        assertThatThrownBy(() -> heap.take(plan(MergePlan.Kind.OLDER, 70 * MIB)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("needs about 69 MiB of heap")
                .hasMessageContaining("60 MiB")
                .hasMessageContaining("taskmanager.memory.process.size");
    }

    @Test
    void whoIsInterruptedWhileWaitingTakesNothing() throws Exception {
        MergeHeap.Share folds = heap.take(plan(MergePlan.Kind.FOLD, 10 * MIB));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> heap.take(plan(MergePlan.Kind.FOLD, 55 * MIB)))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        folds.close();
        heap.take(plan(MergePlan.Kind.FOLD, 55 * MIB)).close();
    }

    @Test
    void neverMoreIsTakenThanThereIs() throws Exception {
        AtomicLong taken = new AtomicLong();
        AtomicLong most = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> done = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            Random random = new Random(thread);
            done.add(threads.submit(() -> {
                for (int i = 0; i < 2_000; i++) {
                    MergePlan.Kind kind = random.nextBoolean() ? MergePlan.Kind.FOLD : MergePlan.Kind.OLDER;
                    long bytes = 1 + random.nextInt(60) * MIB / (1 + random.nextInt(20));
                    MergePlan plan = plan(kind, bytes);
                    MergeHeap.Share share = heap.take(plan);
                    long now = taken.addAndGet(MergeHeap.bytes(plan.inputs()));
                    most.accumulateAndGet(now, Math::max);
                    taken.addAndGet(-MergeHeap.bytes(plan.inputs()));
                    share.close();
                }
                return null;
            }));
        }
        for (Future<?> each : done) {
            each.get();
        }
        threads.shutdown();
        assertThat(most.get()).isBetween(10 * MIB, 60 * MIB + 8 * 1024);
    }

    @Test
    void lanesThatCouldNotBeMergedAreRefusedWithTheBudgetThatCould() {
        PublishingOptions lane = PublishingOptions.defaults(); // 32M tokens
        assertThatThrownBy(() -> heap.requireRoomFor(lane))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a lane of 32000000 tokens takes about 1019 MiB of heap")
                .hasMessageContaining("50 of this process's 80 MiB")
                .hasMessageContaining("taskmanager.memory.process.size")
                .hasMessageContaining("--lane-tokens to 15");
        assertThatCode(() -> new MergeHeap(1_700 * MIB).requireRoomFor(lane)).doesNotThrowAnyException();
    }

    private static MergePlan plan(MergePlan.Kind kind, long bytes) {
        long tokens = bytes / 24;
        StoredSegment stored = new StoredSegment("p", "c", "s", 1, 0, tokens, tokens, 0, 0, 0);
        LiveSegment segment = new LiveSegment(stored, 0, 0, 0, 0);
        return new MergePlan(kind, LANE, List.of(segment), List.of(), null, Retention.everything(), 0, 0);
    }
}
