package io.tailrace.client.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.LiveSnapshot;
import io.tailrace.client.follow.LoadedSnapshot;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A lane whose segment was damaged on the disk after it had been verified, for tests. */
public final class DamagedSegment {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity("m@1/s", 1_000, "tok");

    private DamagedSegment() {}

    /** What a draft throws would end the decode thread, for all requests: sources of such a lane draft from its own answers only. */
    public static void costsItsDraftsAndNothingElse(Path folder, List<Function<LiveSnapshot, DraftSource>> sources)
            throws IOException {
        Path file = segmentFile(folder);
        try (Segment segment = Segment.openVerified(file, IDENTITY)) {
            damageOrder(file);
            FreshIndex own = FreshIndex.of(List.of(new int[] {1, 2, 3, 99, 98}));
            LiveSnapshot live = new LiveSnapshot(
                    new LoadedSnapshot(1, DraftPolicy.defaults(), new LaneIndex(List.of(), segment, own), () -> {}));
            for (Function<LiveSnapshot, DraftSource> of : sources) {
                try (DraftSource source = of.apply(live)) {
                    draftsFromOwnAnswersOnly(source);
                    draftsFromOwnAnswersOnly(source);
                }
            }
        }
    }

    private static void draftsFromOwnAnswersOnly(DraftSource source) {
        try (OneRequest drafting = new OneRequest(source, "s", new int[] {1, 2, 3})) {
            Draft draft = drafting.draft(16);
            assertThat(IntStream.range(0, draft.size()).map(draft::token).anyMatch(token -> token == 99))
                    .as(source.strategy())
                    .isTrue();
            assertThat(IntStream.range(0, draft.size()).mapToObj(draft::source))
                    .as(source.strategy())
                    .doesNotContain(SourceKind.NEWEST);
            drafting.verified(99, 5);
            assertThat(drafting.draft(0).size()).isZero();
        }
    }

    private static Path segmentFile(Path folder) throws IOException {
        int[] tokens = IntStream.range(0, 200).map(i -> i % 7).toArray();
        return Compaction.flush(
                        List.of(new Compaction.Input(new GenerationEntry(1, 2, "p", 1_000), tokens)), IDENTITY, folder)
                .files()
                .segment();
    }

    /** The highest byte of each order entry. */
    private static void damageOrder(Path file) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int order = header.getInt(12) + (4 * header.getInt(32) + 63) / 64 * 64;
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            for (int entry = 0; entry < header.getInt(36); entry++) {
                bytes.seek(order + 4L * entry + 3);
                bytes.write(0x40);
            }
        }
    }
}
