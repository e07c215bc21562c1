package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.store.StoredSegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lanes of short answers: their files reach 2 GiB before their tokens fill the heap that merges have. */
class LargeFilesTest {
    private static final long START = 1_000_000;
    private static final long GIB = 1 << 30;
    private static final long TOKENS = 100_000;

    private final MergeHeap heap = new MergeHeap(64 * GIB);

    @Test
    void olderSegmentsThatWouldNotFitIntoOneFileAreTrimmed() {
        List<LiveSegment> older = List.of(segment(0, GIB), segment(1, GIB / 2), segment(2, GIB / 2));
        MergePlan plan = merges(older, null, List.of()).older(START).orElseThrow();
        assertThat(plan.kind()).isEqualTo(MergePlan.Kind.BUDGET);
        assertThat(plan.segments()).containsExactly(older.get(0));
        long excess = TOKENS - plan.retention().liveTokensMax();
        double kept = 2.0 * GIB - (double) excess / TOKENS * GIB;
        assertThat(kept).isBetween(0.9 * MergeFiles.BYTES_MAX, (double) MergeFiles.BYTES_MAX);
    }

    @Test
    void thoseThatFitAreLeft() {
        List<LiveSegment> older = List.of(segment(0, GIB), segment(1, GIB / 2));
        assertThat(merges(older, null, List.of()).older(START)).isEmpty();
    }

    @Test
    void theNewestGraduatesBeforeAFoldIntoItWouldNotFit() {
        LiveSegment newest = segment(0, 3 * GIB / 2);
        MergePlan plan = merges(List.of(), newest, List.of(flushed(1, GIB / 2), flushed(2, GIB / 2)))
                .fold(START)
                .orElseThrow();
        assertThat(plan.graduating()).isEqualTo(newest);
        assertThat(MergeFiles.bytes(plan.inputs())).isLessThanOrEqualTo(MergeFiles.BYTES_MAX);
    }

    @Test
    void aSidecarCountsWhereItIsTheLargerFile() {
        StoredSegment repeated = new StoredSegment("p", "c", "s", 1_000, 10, 100, 100_000, START);
        assertThat(MergeFiles.bytes(repeated)).isEqualTo(4 * 10 + 28 * 10_000);
    }

    private static LiveSegment segment(int number, long bytes) {
        String path = "segment-" + number;
        StoredSegment stored = new StoredSegment(path, path + "-sidecar", path, bytes, 6_250, TOKENS, TOKENS, START);
        return new LiveSegment(stored, 0, START, START, START);
    }

    private static ShardProgress.Flushed flushed(int number, long bytes) {
        return new ShardProgress.Flushed(segment(number, bytes).stored(), new long[0], Map.of());
    }

    private MergePlanning merges(List<LiveSegment> older, LiveSegment newest, List<ShardProgress.Flushed> flushes) {
        Layout.State layout = new Layout.State(older, newest, flushes, List.of(), Map.of(), Map.of(), 0, 0, 0);
        return LanesOfLayout.lane(layout, PublishingOptions.defaults()).merges(heap);
    }
}
