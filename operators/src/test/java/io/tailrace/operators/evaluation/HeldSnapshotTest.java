package io.tailrace.operators.evaluation;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.suffix.segment.SegmentSummary;
import io.tailrace.suffix.snapshot.MappedSegments;
import io.tailrace.suffix.snapshot.SegmentFolder;
import io.tailrace.suffix.snapshot.SegmentOpener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HeldSnapshotTest {
    private static final SegmentIdentity IDENTITY = Samples.MODELS.identity(LANE);

    @TempDir
    Path folder;

    @Test
    void whatWouldGoIsNotCountedAmongTheTokensOfWhatWouldStay() throws Exception {
        StoredSegment older = stored(7, 5);
        SnapshotManifest manifest = Samples.manifest(10);
        manifest.setSegments(
                List.of(older.reference(SegmentRole.OLDER), stored(9, 3).reference(SegmentRole.NEWEST)));
        SegmentFolder segments = new SegmentFolder(
                (file, target) -> Files.copy(folder.resolve(file.path()), target),
                folder.resolve("cache"),
                Long.MAX_VALUE,
                SegmentOpener.segments(),
                (sha256, damage) -> {});
        HeldSnapshot held = HeldSnapshot.load(manifest, IDENTITY, new MappedSegments(segments));
        assertThat(popular(held.index())).containsExactly(7, 9);
        assertThat(popular(held.replaced(older.sha256(), List.of()))).containsExactly(9);
        assertThat(popular(held.replaced(older.sha256(), List.of(FreshIndex.of(List.of(said(8, 4)))))))
                .containsExactly(8, 9);
        assertThat(held.replaced("0".repeat(64), List.of())).isNull();
        held.release();
    }

    private static List<Integer> popular(LaneIndex index) {
        return IntStream.range(0, index.vocabulary().popularTokens())
                .mapToObj(index.vocabulary()::popularToken)
                .toList();
    }

    private static int[] said(int token, int times) {
        return IntStream.generate(() -> token).limit(times).toArray();
    }

    private StoredSegment stored(int token, int times) throws IOException {
        var generation = Samples.generation("r" + token, 1_000, said(token, times));
        Compaction.Result result = Compaction.flush(List.of(generation.toInput()), IDENTITY, folder);
        SegmentSummary summary = result.summary();
        return new StoredSegment(
                folder.relativize(result.files().segment()).toString(),
                "none",
                summary.sha256(),
                summary.sizeBytes(),
                summary.documents(),
                summary.textTokens(),
                summary.liveTokens(),
                summary.newestCompletedAtMillis(),
                0,
                0);
    }
}
