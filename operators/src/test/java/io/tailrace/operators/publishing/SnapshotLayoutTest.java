package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.store.StoredSegment;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class SnapshotLayoutTest {
    private final SnapshotLayout layout =
            new SnapshotLayout(new PublishingOptions(1000, 100, 10_000, 10_000, 1_000_000, 1, 1, 1, 0));

    private static LiveSegment segment(long tokens, long begunAt) {
        StoredSegment stored = new StoredSegment("p" + tokens, "s", "p", 1, 1, tokens, tokens, 0);
        return new LiveSegment(stored, 0, begunAt, begunAt);
    }

    private static List<LiveSegment> older(long... tokens) {
        return LongStream.of(tokens).mapToObj(t -> segment(t, 0)).toList();
    }

    @Test
    void theNewestGraduatesWhenLargeOrOldAndThereIsRoom() {
        assertThat(layout.graduates(segment(100, 0), 0, 0)).isFalse();
        assertThat(layout.graduates(segment(101, 0), 2, 0)).isTrue();
        assertThat(layout.graduates(segment(101, 0), 3, 0)).isFalse();
        assertThat(layout.graduates(segment(1, 0), 0, 10_001)).isTrue();
        assertThat(layout.graduates(null, 0, 10_001)).isFalse();
    }

    @Test
    void theSmallestNeighboursMergeInTimeForTheNextGraduation() {
        assertThat(layout.pairToMerge(older(900, 300, 100), segment(51, 0), 0)).isEqualTo(OptionalInt.of(1));
        assertThat(layout.pairToMerge(older(100, 300, 900), segment(51, 0), 0)).isEqualTo(OptionalInt.of(0));
        assertThat(layout.pairToMerge(older(100, 300, 900), segment(50, 0), 0)).isEmpty();
        assertThat(layout.pairToMerge(older(100, 300), segment(500, 0), 0)).isEmpty();
        assertThat(layout.pairToMerge(older(100, 300, 900), null, 0)).isEmpty();
    }

    @Test
    void completionTimesAreThinnedEvenly() {
        List<Long> times =
                LongStream.range(0, 3 * ManifestContent.COMPLETIONS_MAX).boxed().toList();
        List<Instant> thinned = ManifestContent.thinned(times);
        assertThat(thinned).hasSize(ManifestContent.COMPLETIONS_MAX);
        assertThat(thinned.get(1)).isEqualTo(Instant.ofEpochMilli(3));
        assertThat(ManifestContent.thinned(List.of(5L))).containsExactly(Instant.ofEpochMilli(5));
        assertThat(ManifestContent.thinned(List.of())).isEmpty();
    }
}
