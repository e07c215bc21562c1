package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.admission.AdmittedGeneration;
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
        LiveSegment newest = segment(0, MergeFiles.BYTES_MAX - 100);
        List<AdmittedGeneration> waiting = List.of(generation("a", START, 1, 2, 3), generation("b", START, 4));
        MergePlan plan = merges(List.of(), newest, waiting).fold(START).orElseThrow();
        assertThat(plan.graduating()).isEqualTo(newest);
        assertThat(plan.segments()).isEmpty();
        assertThat(plan.generations()).isEqualTo(waiting);
    }

    @Test
    void aSidecarCountsWhereItIsTheLargerFile() {
        StoredSegment repeated = new StoredSegment("p", "c", "s", 1_000, 10, 100, 100_000, START, 280_040, 1);
        assertThat(MergeFiles.bytes(repeated)).isEqualTo(280_040);
    }

    private static LiveSegment segment(int number, long bytes) {
        String path = "segment-" + number;
        StoredSegment stored =
                new StoredSegment(path, path + "-sidecar", path, bytes, 6_250, TOKENS, TOKENS, START, 0, 0);
        return new LiveSegment(stored, 0, START, START, START);
    }

    private MergePlanning merges(List<LiveSegment> older, LiveSegment newest, List<AdmittedGeneration> waiting) {
        Layout.State layout = new Layout.State(older, newest, waiting, List.of(), Map.of(), Map.of(), 0, 0, 0);
        return LanesOfLayout.lane(layout, PublishingOptions.defaults()).merges(heap);
    }
}
