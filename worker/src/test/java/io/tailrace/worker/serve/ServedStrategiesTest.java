package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.internal.OneRequest;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.worker.candidates.TargetCandidates;
import io.tailrace.worker.engine.EngineDrafts;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds of whatever strategy a lane is drafted with. */
class ServedStrategiesTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity("m@1/s", 1_000, "tok");

    @TempDir
    private Path folder;

    /** What a draft throws would end the decode thread, for all requests. */
    @Test
    void aSegmentDamagedSinceItWasVerifiedCostsItsDraftsAndNothingElse() throws Exception {
        Path file = segmentFile();
        try (Segment segment = Segment.openVerified(file, IDENTITY)) {
            damageOrder(file);
            FreshIndex own = FreshIndex.of(List.of(new int[] {1, 2, 3, 99, 98}));
            LiveSnapshot live = new LiveSnapshot(
                    new LoadedSnapshot(1, DraftPolicy.defaults(), new LaneIndex(List.of(), segment, own), () -> {}));
            for (String strategy : List.of("suffix-decoding", "adaptive:candidates=4")) {
                try (DraftSource source = DraftSources.create(new DraftOptions(strategy, true), null, scope -> live, 1)
                        .source()) {
                    draftsFromOwnAnswersOnly(source);
                    draftsFromOwnAnswersOnly(source);
                }
            }
        }
    }

    /** What the target found likely in one scope is never drafted in another. */
    @Test
    void aLanesRequestsShareTheTargetsCandidatesAndAnotherLaneDoesNotSeeThem() {
        for (String strategy : List.of("adaptive:candidates=4", "adaptive:candidates=4:own=false", "token-recycling")) {
            Map<String, LiveSnapshot> lanes = new HashMap<>();
            for (String scope : List.of("s", "t")) {
                lanes.put(
                        scope,
                        new LiveSnapshot(new LoadedSnapshot(1, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {})));
            }
            EngineDrafts drafts = DraftSources.create(new DraftOptions(strategy, true), null, lanes::get, 1);
            TargetCandidates target = drafts.candidates();
            try (DraftSource source = drafts.source();
                    OneRequest first = new OneRequest(source, "s", new int[] {1})) {
                assertThat(target.wanted()).as(strategy).isPositive();
                assertThat(first.draft(4).size()).as(strategy).isZero();
                assertThat(target.lacks(0, 1)).as(strategy).isTrue();
                target.told(0, 1, new int[] {7, 8, 9, 10});
                assertThat(target.lacks(0, 1)).as(strategy).isFalse();
                first.verified(20);
                try (OneRequest second = new OneRequest(source, "s", new int[] {1});
                        OneRequest foreign = new OneRequest(source, "t", new int[] {1})) {
                    assertThat(second.draft(4).token(0)).as(strategy).isEqualTo(7);
                    assertThat(foreign.draft(4).size()).as(strategy).isZero();
                    assertThat(target.lacks(0, 1)).as(strategy).isTrue();
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

    private Path segmentFile() throws Exception {
        int[] tokens = IntStream.range(0, 200).map(i -> i % 7).toArray();
        return Compaction.flush(
                        List.of(new Compaction.Input(new GenerationEntry(1, 2, "p", 1_000), tokens)), IDENTITY, folder)
                .files()
                .segment();
    }

    /** The highest byte of each order entry. */
    private static void damageOrder(Path file) throws Exception {
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
