package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.AdaptiveDrafterSource;
import io.tailrace.client.follow.LiveSnapshot;
import io.tailrace.client.follow.LoadedSnapshot;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.worker.engine.DraftSource;
import io.tailrace.worker.engine.Drafting;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaneDraftsTest {
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
            for (String strategy : List.of("adaptive", "suffix-decoding")) {
                try (DraftSource source =
                        DraftSources.create(new DraftOptions(strategy, true), null, scope -> live, 1)) {
                    draftsFromOwnAnswersOnly(source);
                    draftsFromOwnAnswersOnly(source);
                }
            }
        }
    }

    /** A request of a lane that is off costs no index of its prompt and no search; once the lane is on it drafts from all that was said. */
    @Test
    void aRequestHasADrafterFromItsFirstDraftOn() {
        LiveSnapshot live = new LiveSnapshot(new LoadedSnapshot(1, off(), LaneIndex.EMPTY, () -> {}));
        AtomicInteger made = new AtomicInteger();
        LaneMakers makers = new LaneMakers(1, () -> (policy, learnedAt) -> {
            made.incrementAndGet();
            return new AdaptiveDrafter(Mixer.defaults(), policy);
        });
        LaneDrafts source = new LaneDrafts("adaptive", 0, scope -> live, makers);
        try (Drafting drafting = source.begin("s", new int[] {1, 2, 3, 4})) {
            assertThat(drafting.draft(16).size()).isZero();
            drafting.verified(new int[] {5, 6}, 2);
            assertThat(drafting.draft(0).size()).isZero();
            drafting.verified(new int[] {1, 2, 3}, 3);
            assertThat(made).hasValue(0);
            live.swap(new LoadedSnapshot(2, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}));
            Draft draft = drafting.draft(16);
            assertThat(IntStream.range(0, draft.size()).map(draft::token).limit(3))
                    .containsExactly(4, 5, 6);
            assertThat(made).hasValue(1);
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
            try (DraftSource source = DraftSources.create(new DraftOptions(strategy, true), null, lanes::get, 1);
                    Drafting first = source.begin("s", new int[] {1})) {
                assertThat(source.candidatesWanted()).as(strategy).isPositive();
                assertThat(first.draft(4).size()).as(strategy).isZero();
                assertThat(first.lacks(1)).as(strategy).isTrue();
                first.candidates(1, new int[] {7, 8, 9, 10});
                first.verified(new int[] {20}, 1);
                assertThat(first.lacks(1)).as(strategy).isFalse();
                try (Drafting second = source.begin("s", new int[] {1});
                        Drafting foreign = source.begin("t", new int[] {1})) {
                    assertThat(second.draft(4).token(0)).as(strategy).isEqualTo(7);
                    assertThat(foreign.draft(4).size()).as(strategy).isZero();
                    assertThat(foreign.lacks(1)).as(strategy).isTrue();
                }
            }
        }
    }

    private static DraftPolicy off() {
        DraftPolicy on = DraftPolicy.defaults();
        return new DraftPolicy(false, on.budgetMax(), on.probabilityFloor(), on.weightsLayout(), on.weights());
    }

    @Test
    void theWeightsAreNotedAtEachRequestAlsoWhereADrafterServesAgain() {
        LiveSnapshot live = new LiveSnapshot(new LoadedSnapshot(1, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}));
        AtomicInteger made = new AtomicInteger();
        AtomicInteger noted = new AtomicInteger();
        AdaptiveDrafterSource adaptive = new AdaptiveDrafterSource(true);
        DrafterMaker maker = new DrafterMaker() {
            @Override
            public Drafter another(DraftPolicy policy, long learnedAtMillis) {
                made.incrementAndGet();
                return adaptive.another(policy, learnedAtMillis);
            }

            @Override
            public void requestBegins() {
                noted.incrementAndGet();
            }
        };
        LaneDrafts drafts = new LaneDrafts("adaptive", 0, scope -> live, new LaneMakers(1, () -> maker));
        for (int request = 0; request < 5; request++) {
            try (Drafting drafting = drafts.begin("s", new int[] {1, 2, 3, 1, 2})) {
                drafting.draft(4);
                drafting.verified(new int[] {3}, 1);
                DecodeTally tally = new DecodeTally();
                drafting.learned(tally);
                assertThat(tally.predictions()).isPositive();
            }
        }
        assertThat(made).hasValue(1);
        assertThat(noted).hasValue(5);
    }

    private static void draftsFromOwnAnswersOnly(DraftSource source) {
        try (Drafting drafting = source.begin("s", new int[] {1, 2, 3})) {
            Draft draft = drafting.draft(16);
            assertThat(IntStream.range(0, draft.size()).map(draft::token).anyMatch(token -> token == 99))
                    .as(source.strategy())
                    .isTrue();
            assertThat(IntStream.range(0, draft.size()).mapToObj(draft::source))
                    .as(source.strategy())
                    .doesNotContain(SourceKind.NEWEST);
            drafting.verified(new int[] {99, 5}, 2);
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
