package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdaptiveDrafterTest {
    private static final DraftPolicy OPEN = new DraftPolicy(true, DraftPolicy.BUDGET_MAX, 0.003f, 0, new float[0]);

    private final AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), OPEN);

    @Test
    void nothingIsDraftedFromNothing() {
        drafter.begin(new int[0], 0);
        assertThat(drafter.draft(LaneIndex.EMPTY, 16).size()).isZero();
        drafter.find(LaneIndex.EMPTY);
        assertThat(drafter.followAs(Mixer.defaults(), OPEN, new int[] {1}, 0)).isZero();
        drafter.begin(new int[] {7}, 1);
        assertThat(drafter.draft(LaneIndex.EMPTY, 16).size()).isZero();
    }

    @Test
    void whatTheContextSaidBeforeIsDraftedAgain() {
        begin(1, 2, 3, 4, 5, 9, 1, 2, 3);
        Draft draft = drafter.draft(LaneIndex.EMPTY, 3);
        assertThat(path(draft)).containsExactly(4, 5, 9);
        assertThat(draft.source(0)).isEqualTo(SourceKind.OWN);
        assertThat(draft.matchLength(0)).isEqualTo(3);
    }

    @Test
    void whatTheFleetSaidIsDraftedWithItsSource() {
        NaiveIndex older = new NaiveIndex().add(1, 2, 3, 4);
        NaiveIndex newest = new NaiveIndex().add(5, 6, 7, 8);
        NaiveIndex fresh = new NaiveIndex().add(10, 11, 12);
        LaneIndex lane = new LaneIndex(List.of(older), newest, fresh);
        assertThat(firstSource(lane, 2)).isEqualTo(SourceKind.OLDER);
        assertThat(firstSource(lane, 6)).isEqualTo(SourceKind.NEWEST);
        assertThat(firstSource(lane, 10)).isEqualTo(SourceKind.FRESH);
    }

    @Test
    void anEditedContextStillFindsItsContinuation() {
        NaiveIndex older = new NaiveIndex().add(1, 2, 3, 4, 5, 6);
        begin(1, 2, 3, 99);
        Draft draft = drafter.draft(withoutVocabulary(older), 2);
        assertThat(path(draft)).containsExactly(5, 6);
        assertThat(draft.source(0)).isEqualTo(SourceKind.SHARED_GAPPED);
        assertThat(draft.matchLength(0)).isEqualTo(3);
    }

    @Test
    void aDraftNeverCrossesADocumentsEnd() {
        NaiveIndex older = new NaiveIndex().add(1, 2, 3).add(4, 5, 6);
        begin(1, 2);
        assertThat(path(drafter.draft(withoutVocabulary(older), 8))).containsExactly(3);
    }

    @Test
    void disagreeingVotersBranchTheTree() {
        NaiveIndex older = new NaiveIndex().add(1, 2, 3).add(1, 2, 4).add(1, 2, 4);
        begin(1, 2);
        Draft draft = drafter.draft(withoutVocabulary(older), 8);
        assertThat(draft.size()).isEqualTo(2);
        assertThat(draft.token(0)).isEqualTo(4);
        assertThat(draft.token(1)).isEqualTo(3);
        assertThat(draft.parent(1)).isEqualTo(-1);
        assertThat(draft.probability(0)).isGreaterThan(draft.probability(1));
    }

    @Test
    void popularTokensAreDraftedWhereNobodyNamesOne() {
        NaiveIndex older = new NaiveIndex();
        for (int i = 0; i < 20; i++) {
            older.add(7, 8, 7, 9, i + 10);
        }
        begin(1, 2);
        Draft draft = drafter.draft(new LaneIndex(List.of(older), null, null), 3);
        assertThat(IntStream.range(0, draft.size()).mapToObj(draft::token)).contains(7);
        assertThat(draft.source(0)).isNull();
        assertThat(draft.matchLength(0)).isZero();
        assertThat(drafter.draft(withoutVocabulary(older), 3).size()).isZero();
    }

    @Test
    void anAnswerThatWasFollowedIsTakenUpAgainAfterADifference() {
        NaiveIndex older = new NaiveIndex().add(1, 2, 3, 4, 5, 6, 7, 8);
        LaneIndex lane = withoutVocabulary(older);
        begin(1, 2, 3);
        drafter.draft(lane, 1);
        drafter.verified(new int[] {90, 91}, 2);
        Draft draft = drafter.draft(lane, 1);
        assertThat(draft.source(0)).isEqualTo(SourceKind.ALIGNED);
        assertThat(draft.token(0)).isEqualTo(6);
    }

    @Test
    void draftingAgainAtOnePlaceChangesNothing() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            LaneIndex lane = RandomLane.lane(random, 4);
            AdaptiveDrafter once = new AdaptiveDrafter(Mixer.defaults(), OPEN);
            AdaptiveDrafter often = new AdaptiveDrafter(Mixer.defaults(), OPEN);
            once.begin(new int[] {1, 2}, 2);
            often.begin(new int[] {1, 2}, 2);
            for (int step = 0; step < 20; step++) {
                for (int again = random.nextInt(3); again > 0; again--) {
                    often.draft(lane, 1 + random.nextInt(64));
                }
                List<String> expected = nodes(once.draft(lane, 16));
                assertThat(nodes(often.draft(lane, 16))).as("seed %d", seed).isEqualTo(expected);
                int[] tokens = random.ints(1 + random.nextInt(3), 0, 4).toArray();
                once.verified(tokens, tokens.length);
                often.verified(tokens, tokens.length);
            }
        }
    }

    private static List<String> nodes(Draft draft) {
        return IntStream.range(0, draft.size())
                .mapToObj(node -> draft.token(node) + " " + draft.parent(node) + " " + draft.probability(node))
                .toList();
    }

    @Test
    void anAnswerThatIsGoneIsNotFollowed() {
        LaneIndex lane = withoutVocabulary(new NaiveIndex().add(1, 2, 3, 4, 5, 6, 7, 8));
        begin(1, 2, 3);
        drafter.draft(lane, 1);
        drafter.verified(new int[] {90, 91}, 2);
        assertThat(drafter.draft(withoutVocabulary(new NaiveIndex().add(1, 2)), 1)
                        .size())
                .isZero();
    }

    @Test
    void aDisabledPolicyOrNoBudgetDraftsNothing() {
        AdaptiveDrafter off =
                new AdaptiveDrafter(Mixer.defaults(), new DraftPolicy(false, 16, 0.003f, 0, new float[0]));
        off.begin(new int[] {1, 1, 1}, 3);
        assertThat(off.draft(LaneIndex.EMPTY, 16).size()).isZero();
        begin(1, 1, 1);
        assertThat(drafter.draft(LaneIndex.EMPTY, 0).size()).isZero();
        drafter.verified(new int[] {1}, 1);
        assertThat(drafter.draft(LaneIndex.EMPTY, 1).size()).isEqualTo(1);
    }

    @Test
    void thePolicyLimitsTheBudgetAndTheProbability() {
        AdaptiveDrafter narrow =
                new AdaptiveDrafter(Mixer.defaults(), new DraftPolicy(true, 2, 0.003f, 0, new float[0]));
        narrow.begin(new int[] {1, 2, 3, 4, 1, 2}, 6);
        assertThat(narrow.draft(LaneIndex.EMPTY, 16).size()).isEqualTo(2);
        AdaptiveDrafter sure = new AdaptiveDrafter(Mixer.defaults(), new DraftPolicy(true, 16, 1, 0, new float[0]));
        sure.begin(new int[] {1, 2, 3, 4, 1, 2}, 6);
        assertThat(sure.draft(LaneIndex.EMPTY, 16).size()).isZero();
    }

    @Test
    void aBudgetOutOfRangeIsRefused() {
        begin(1);
        assertThatThrownBy(() -> drafter.draft(LaneIndex.EMPTY, 65)).hasMessageContaining("[0, 64], got 65");
        assertThatThrownBy(() -> drafter.draft(LaneIndex.EMPTY, -1)).hasMessageContaining("got -1");
    }

    @Test
    void verificationMayLeaveTheTreeAnywhere() {
        int[] period = {1, 2, 3, 4, 5, 6, 7, 8};
        for (int accepted = 0; accepted <= 6; accepted++) {
            begin(50, 51, 52, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2);
            assertThat(drafter.draft(LaneIndex.EMPTY, 5).size()).isEqualTo(5);
            int[] tokens = new int[accepted + 1];
            for (int i = 0; i < accepted; i++) {
                tokens[i] = period[(i + 2) % 8];
            }
            tokens[accepted] = 99;
            drafter.verified(tokens, tokens.length);
            drafter.verified(new int[] {50, 51}, 2);
            assertThat(path(drafter.draft(LaneIndex.EMPTY, 1))).containsExactly(52);
        }
    }

    @Test
    void confirmedDraftsRaiseTheProbabilityAndRefutedOnesLowerIt() {
        Mixer mixer = Mixer.defaults();
        float before = firstProbability(mixer);
        for (int i = 0; i < 50; i++) {
            trial(mixer, 3);
        }
        float confirmed = firstProbability(mixer);
        assertThat(confirmed).isGreaterThan(before);
        for (int i = 0; i < 200; i++) {
            trial(mixer, 77);
        }
        assertThat(firstProbability(mixer)).isLessThan(before);
    }

    @Test
    void theOwnContextAloneIsAnAdaptiveDrafterOnAnEmptyLane() {
        Mixer mixer = Mixer.defaults();
        AdaptiveDrafter ownContextOnly = new AdaptiveDrafter(mixer, OPEN);
        Random random = new Random(5);
        int accepted = 0;
        int steps = 0;
        int[] sentence = random.ints(12, 0, 50).toArray();
        ownContextOnly.begin(sentence, sentence.length);
        for (int round = 0; round < 20; round++) {
            for (int at = 0; at < sentence.length; steps++) {
                Draft draft = ownContextOnly.draft(LaneIndex.EMPTY, 8);
                int[] tokens = verify(draft, sentence, at);
                ownContextOnly.verified(tokens, tokens.length);
                accepted += tokens.length - 1;
                at += tokens.length;
            }
        }
        assertThat((double) accepted / steps).isGreaterThan(3);
        assertThat(mixer.weights()).isNotEqualTo(Mixer.defaults().weights());
    }

    @Test
    void aDrafterDraftsFromNothingThatIsLeftOut() {
        Map<DraftPart, Set<SourceKind>> kinds = Map.of(
                DraftPart.OWN, Set.of(SourceKind.OWN, SourceKind.SAID, SourceKind.OWN_GAPPED),
                DraftPart.SAID, Set.of(SourceKind.SAID),
                DraftPart.GAPPED, Set.of(SourceKind.SHARED_GAPPED, SourceKind.OWN_GAPPED),
                DraftPart.ALIGNED, Set.of(SourceKind.ALIGNED),
                DraftPart.SIMILAR, Set.of(SourceKind.SIMILAR));
        Set<SourceKind> whole = draftedWith(DraftPart.ALL);
        kinds.forEach((part, missing) -> {
            assertThat(whole).containsAll(missing);
            assertThat(draftedWith(EnumSet.complementOf(EnumSet.of(part))))
                    .as("without %s", part)
                    .doesNotContainAnyElementsOf(missing)
                    .contains(SourceKind.OLDER);
        });
    }

    /** Who names the tokens that a drafter with these parts drafts in random requests. */
    private static Set<SourceKind> draftedWith(Set<DraftPart> parts) {
        Set<SourceKind> drafted = new HashSet<>();
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), OPEN, true, parts);
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            LaneIndex lane = RandomLane.lane(random, 5);
            drafter.begin(random.ints(30, 0, 5).toArray(), 30);
            for (int step = 0; step < 5; step++) {
                Draft draft = drafter.draft(lane, 16);
                for (int node = 0; node < draft.size(); node++) {
                    drafted.add(draft.source(node));
                }
                drafter.verified(random.ints(3, 0, 5).toArray(), 3);
            }
        }
        return drafted;
    }

    @Test
    void withoutTreesTheLikeliestPathIsDrafted() {
        DraftPolicy policy = new DraftPolicy(true, DraftPolicy.BUDGET_MAX, 0, 0, new float[0]);
        for (long seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            int alphabet = 2 + random.nextInt(6);
            LaneIndex lane = RandomLane.lane(random, alphabet);
            int[] context = random.ints(30, 0, alphabet).toArray();
            AdaptiveDrafter linear = new AdaptiveDrafter(Mixer.defaults(), policy, false, DraftPart.ALL);
            linear.begin(context, context.length);
            Draft path = linear.draft(lane, 8);
            AdaptiveDrafter branching = new AdaptiveDrafter(Mixer.defaults(), policy);
            branching.begin(context, context.length);
            Draft tree = branching.draft(lane, 8);
            assertThat(path(path)).as("seed %d", seed).hasSize(path.size());
            if (tree.size() > 0) {
                assertThat(path.token(0)).isEqualTo(tree.token(0));
                assertThat(path.probability(0)).isEqualTo(tree.probability(0));
            }
        }
    }

    @Test
    void everyDraftIsAProperTree() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            LaneIndex lane = RandomLane.lane(random, 1 + random.nextInt(6));
            int[] prompt = random.ints(random.nextInt(40), 0, 4).toArray();
            drafter.begin(prompt, prompt.length);
            int budget = random.nextInt(65);
            checkTree(drafter.draft(lane, budget), budget, "seed " + seed);
        }
    }

    @Test
    void draftsAndVerificationsAllocateNothingInSteadyState() {
        Random random = new Random(11);
        int[] text = random.ints(1500, 0, 12).toArray();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        FlatLane lane = new FlatLane(random.ints(600, 0, 12).toArray());
        long bytes = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            drafter.begin(text, 500);
            bytes = Math.min(bytes, allocatedByDrafting(threads, lane.index(), text));
        }
        assertThat(bytes).isLessThan(1000 / 10);
    }

    private long allocatedByDrafting(ThreadMXBean threads, LaneIndex lane, int[] text) {
        int[] tokens = new int[1];
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int at = 500; at < text.length; at++) {
            drafter.draft(lane, 31);
            tokens[0] = text[at];
            drafter.verified(tokens, 1);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    static void checkTree(Draft draft, int budget, String place) {
        assertThat(draft.size()).as(place).isLessThanOrEqualTo(budget);
        Set<Long> edges = new HashSet<>();
        for (int node = 0; node < draft.size(); node++) {
            int parent = draft.parent(node);
            assertThat(parent).as(place).isBetween(-1, node - 1);
            assertThat(draft.token(node)).as(place).isNotNegative();
            assertThat(draft.matchLength(node) > 0).as(place).isEqualTo(draft.source(node) != null);
            assertThat(draft.probability(node)).as(place).isBetween(0f, parent < 0 ? 1f : draft.probability(parent));
            assertThat(edges.add(((long) parent << 32) + draft.token(node)))
                    .as(place)
                    .isTrue();
        }
    }

    private static LaneIndex withoutVocabulary(NaiveIndex older) {
        return new LaneIndex(List.of(older), null, null, LaneVocabulary.EMPTY);
    }

    private void begin(int... prompt) {
        drafter.begin(prompt, prompt.length);
    }

    private SourceKind firstSource(LaneIndex lane, int token) {
        begin(token);
        return drafter.draft(lane, 1).source(0);
    }

    private static float firstProbability(Mixer mixer) {
        AdaptiveDrafter fresh = new AdaptiveDrafter(mixer, OPEN);
        fresh.begin(new int[] {1, 2, 3, 1, 2}, 5);
        return fresh.draft(LaneIndex.EMPTY, 1).probability(0);
    }

    private static void trial(Mixer mixer, int truth) {
        AdaptiveDrafter fresh = new AdaptiveDrafter(mixer, OPEN);
        fresh.begin(new int[] {1, 2, 3, 1, 2}, 5);
        fresh.draft(LaneIndex.EMPTY, 1);
        fresh.verified(new int[] {truth}, 1);
    }

    /** The tokens of a draft that is a single path. */
    private static List<Integer> path(Draft draft) {
        List<Integer> tokens = new ArrayList<>();
        for (int node = 0; node < draft.size(); node++) {
            assertThat(draft.parent(node)).isEqualTo(node - 1);
            tokens.add(draft.token(node));
        }
        return tokens;
    }

    /** The accepted path and the token after it, as a verifier reports them. */
    private static int[] verify(Draft draft, int[] truth, int at) {
        AcceptedPath path = new AcceptedPath();
        path.walk(draft, truth, at);
        return Arrays.copyOf(path.tokens(), path.length());
    }
}
