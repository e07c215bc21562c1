package io.tailrace.client.draft.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.draft.EarlyDrafts;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.follow.internal.ServedLanes;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.testkit.Cases;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaneDraftsTest {
    @TempDir
    private Path folder;

    @Test
    void aSegmentDamagedSinceItWasVerifiedCostsItsDraftsAndNothingElse() throws Exception {
        DamagedSegment.costsItsDraftsAndNothingElse(folder, List.of(LaneDraftsTest::adaptive));
    }

    @Test
    void whatIsKnownOfPromptsMayRotToo() throws Exception {
        DamagedSegment.ofPromptsCostsItsDraftsAndNothingElse(folder, LaneDraftsTest::adaptive);
    }

    /** A request of a lane that is off costs no index of its prompt and no search; once the lane is on it drafts from all that was said. */
    @Test
    void aRequestHasADrafterFromItsFirstDraftOn() {
        LiveSnapshot live = new LiveSnapshot(new LoadedSnapshot(1, off(), LaneIndex.EMPTY, () -> {}));
        AtomicInteger made = new AtomicInteger();
        LaneMakers makers = new LaneMakers(
                1,
                () -> DrafterMaker.of(policy -> {
                    made.incrementAndGet();
                    return new AdaptiveDrafter(Mixer.defaults(), policy);
                }));
        int[] prompt = {1, 2, 3, 4};
        try (OneRequest drafting = new OneRequest(new LaneDrafts("adaptive", scope -> live, makers), "s", prompt)) {
            assertThat(drafting.draft(16).size()).isZero();
            drafting.verified(5, 6);
            assertThat(drafting.draft(0).size()).isZero();
            drafting.verified(1, 2, 3);
            assertThat(made).hasValue(0);
            live.swap(new LoadedSnapshot(2, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}));
            Draft draft = drafting.draft(16);
            assertThat(IntStream.range(0, draft.size()).map(draft::token).limit(3))
                    .containsExactly(4, 5, 6);
            assertThat(made).hasValue(1);
        }
        assertThat(prompt).containsExactly(1, 2, 3, 4);
    }

    /** Steps with and without drafts in any order, prepared or not: the drafts are those of a drafter that was told everything at once. */
    @Test
    void whoDraftsAgainKnowsAllThatWasSaid() {
        Cases.forEachSeed(2_000, seed -> {
            Random random = new Random(seed);
            int[] prompt = random.ints(random.nextInt(6), 0, 4).toArray();
            int[] given = prompt.clone();
            LiveSnapshot live =
                    new LiveSnapshot(new LoadedSnapshot(1, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}));
            LiveSnapshot switched = new LiveSnapshot(new LoadedSnapshot(1, off(), LaneIndex.EMPTY, () -> {}));
            AdaptiveDrafter told = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
            told.begin(prompt, prompt.length);
            boolean on = false;
            boolean drafted = false;
            try (OneRequest request = new OneRequest(adaptive(switched), "s", given)) {
                EarlyDrafts early = (EarlyDrafts) request.request();
                prepareSometimes(random, early);
                int[] before = random.ints(random.nextInt(3), 0, 4).toArray();
                early.said(before, before.length);
                told.verified(before, before.length);
                for (int step = 0; step < 30; step++) {
                    if (random.nextInt(5) == 0) {
                        on = !on;
                        switched.swap(on ? live.lease() : new LoadedSnapshot(2, off(), LaneIndex.EMPTY, () -> {}));
                    }
                    prepareSometimes(random, early);
                    int budget = random.nextInt(3) == 0 ? 4 : 0;
                    boolean drafts = on && budget > 0;
                    Draft draft = request.draft(budget);
                    assertThat(nodes(draft))
                            .as("step %d", step)
                            .isEqualTo(drafts ? nodes(told.draft(LaneIndex.EMPTY, budget)) : List.of());
                    prepareSometimes(random, early);
                    int[] tokens = random.ints(3, 0, 4).toArray();
                    int count = 1 + random.nextInt(tokens.length);
                    request.verified(tokens, count);
                    told.verified(tokens, count);
                    drafted |= drafts;
                }
                assertThat(given).as("the caller's prompt").isEqualTo(prompt);
                assertThat(request.request().learned().predictions()).isEqualTo(drafted ? told.predictions() : 0);
            }
        });
    }

    private static void prepareSometimes(Random random, EarlyDrafts request) {
        if (random.nextInt(3) == 0) {
            request.prepare();
        }
    }

    /** What is not drafted is not leased either: a snapshot that nobody drafts from can go. */
    @Test
    void aSnapshotIsLeasedFromTheDraftUntilItsStepIsVerified() {
        AtomicInteger closed = new AtomicInteger();
        LiveSnapshot live = new LiveSnapshot(
                new LoadedSnapshot(7, DraftPolicy.defaults(), LaneIndex.EMPTY, closed::incrementAndGet));
        try (OneRequest request = new OneRequest(adaptive(live), "s", new int[] {1})) {
            request.draft(4);
            live.swap(new LoadedSnapshot(8, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}));
            assertThat(closed).as("still leased by the running step").hasValue(0);
            assertThat(request.request().snapshotVersion()).isEqualTo(7);
            request.verified(3);
            assertThat(closed).hasValue(1);
            request.draft(0);
            request.verified(4);
            assertThat(request.request().snapshotVersion()).isEqualTo(7);
            request.draft(4);
            assertThat(request.request().snapshotVersion()).isEqualTo(8);
        }
    }

    /** A request whose answer is nobody's leaves nothing behind, neither to the next one nor to a lane. */
    @Test
    void whatDraftedForALaneThatIsNotFollowedDraftsForNobodyElse() {
        ServedModel model = new ServedModel("m", "1", 100, "t");
        LiveSnapshot unshared = new ServedLanes(model, FollowOptions.of(folder.toUri(), folder), 0)
                .unshared()
                .live();
        AtomicInteger made = new AtomicInteger();
        LaneMakers makers = new LaneMakers(1, () -> {
            made.incrementAndGet();
            return new AdaptiveMaker(true);
        });
        LaneDrafts drafts = new LaneDrafts("adaptive", scope -> unshared, makers);
        for (int request = 1; request <= 2; request++) {
            try (OneRequest drafting = new OneRequest(drafts, "", new int[] {1, 2, 3, 1, 2})) {
                assertThat(drafting.draft(4).size()).isPositive();
                drafting.verified(3);
            }
            assertThat(made).hasValue(request);
            assertThat(makers.idle()).isZero();
            assertThat(makers.lanes()).isZero();
        }
    }

    /** It runs on, and whoever comes when there is room again drafts. */
    @Test
    void aRequestForWhoseContextThereIsNoRoomRunsWithoutDrafts() {
        LiveSnapshot live = new LiveSnapshot(new LoadedSnapshot(1, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}));
        ContextRoom room = new ContextRoom(12, 0);
        LaneDrafts drafts = new LaneDrafts(
                "adaptive",
                scope -> live,
                new LaneMakers(1, () -> new AdaptiveMaker(true), room, System::currentTimeMillis));
        int[] prompt = {1, 2, 3, 1, 2};
        try (OneRequest first = new OneRequest(drafts, "s", prompt)) {
            assertThat(first.draft(4).size()).isPositive();
            first.verified(3, 1, 2);
            assertThat(room.tokens()).isEqualTo(8);
            try (OneRequest crowded = new OneRequest(drafts, "s", prompt)) {
                ((EarlyDrafts) crowded.request()).prepare();
                for (int step = 0; step < 3; step++) {
                    assertThat(crowded.draft(4).size()).isZero();
                    crowded.verified(3, 1, 2);
                }
                assertThat(crowded.request().learned().predictions()).isZero();
            }
            assertThat(room.tokens()).isEqualTo(8);
            assertThat(first.draft(4).size()).isPositive();
            first.verified(3, 1, 2, 3, 1, 2);
            assertThat(room.tokens()).as("what runs goes on").isEqualTo(14);
        }
        assertThat(room.tokens()).isZero();
        try (OneRequest later = new OneRequest(drafts, "s", prompt)) {
            assertThat(later.draft(4).size()).isPositive();
        }
        assertThat(room.tokens()).isZero();
    }

    @Test
    void whatADrafterKeepsForTheNextRequestIsCounted() {
        LiveSnapshot live = new LiveSnapshot(new LoadedSnapshot(1, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}));
        ContextRoom room = new ContextRoom(100, 0);
        LaneDrafts drafts = new LaneDrafts(
                "adaptive",
                scope -> live,
                new LaneMakers(1, () -> new AdaptiveMaker(true), room, System::currentTimeMillis));
        for (int[] prompt : new int[][] {{1, 2, 1, 2, 3, 1, 2}, {1, 2, 3, 1, 2}}) {
            try (OneRequest request = new OneRequest(drafts, "s", prompt)) {
                assertThat(request.draft(4).size()).isPositive();
                request.verified(3, 1, 2);
                assertThat(room.tokens()).isEqualTo(10);
            }
            assertThat(room.tokens()).as("its arrays stay").isEqualTo(10);
        }
        drafts.close();
        assertThat(room.tokens()).isZero();
    }

    private static LaneDrafts adaptive(LiveSnapshot live) {
        return new LaneDrafts("adaptive", scope -> live, new LaneMakers(1, () -> new AdaptiveMaker(true)));
    }

    private static List<String> nodes(Draft draft) {
        return IntStream.range(0, draft.size())
                .mapToObj(node ->
                        Arrays.toString(new int[] {draft.parent(node), draft.token(node)}) + draft.probability(node))
                .toList();
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
        AdaptiveMaker adaptive = new AdaptiveMaker(true);
        DrafterMaker maker = new DrafterMaker() {
            @Override
            public Drafter another(DraftPolicy policy, long learnedAtMillis) {
                made.incrementAndGet();
                return adaptive.another(policy, learnedAtMillis);
            }

            @Override
            public void requestBegins(boolean hurry) {
                noted.incrementAndGet();
            }
        };
        LaneDrafts drafts = new LaneDrafts("adaptive", scope -> live, new LaneMakers(1, () -> maker));
        for (int request = 0; request < 5; request++) {
            try (OneRequest drafting = new OneRequest(drafts, "s", new int[] {1, 2, 3, 1, 2})) {
                drafting.draft(4);
                drafting.verified(3);
                assertThat(drafting.request().learned().predictions()).isPositive();
            }
        }
        assertThat(made).hasValue(1);
        assertThat(noted).hasValue(5);
    }
}
