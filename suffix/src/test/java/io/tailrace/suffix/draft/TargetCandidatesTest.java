package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.tailrace.suffix.LaneIndex;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The adaptive drafter with the target's own candidates. */
class TargetCandidatesTest {
    private static final int CASES = 3000;
    private static final DraftPolicy OPEN = new DraftPolicy(true, DraftPolicy.BUDGET_MAX, 0.003f, 0, new float[0]);

    @Test
    void treesAndBothStagesWeightsEqualThoseOfTheDullTwin() {
        for (long seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            runRequest(random, 1 + random.nextInt(12), random.nextInt(12), random.nextInt(65), "seed " + seed);
        }
    }

    @Test
    void theyAgreeOnLongerRequests() {
        for (long seed = 0; seed < 20; seed++) {
            runRequest(new Random(seed), 4, 150, 16, "long, seed " + seed);
        }
    }

    private static void runRequest(Random random, int alphabet, int tokens, int budget, String place) {
        DraftPolicy policy =
                new DraftPolicy(true, DraftPolicy.BUDGET_MAX, random.nextBoolean() ? 0.003f : 0, 0, new float[0]);
        Mixer mixer = Mixer.defaults();
        TargetRows rows = new TargetRows(1 + random.nextInt(8));
        ReferenceRows dullRows = new ReferenceRows();
        AdaptiveDrafter fast = new AdaptiveDrafter(mixer, policy).with(rows);
        ReferenceDrafter dull = new ReferenceDrafter(mixer.weights(), policy, dullRows);
        int[] prompt = random.ints(1 + random.nextInt(20), 0, alphabet).toArray();
        fast.begin(prompt, prompt.length);
        dull.begin(prompt, prompt.length);
        int[] truth = random.ints(tokens, 0, alphabet).toArray();
        LaneIndex lane = RandomLane.lane(random, alphabet);
        for (int at = 0; at < truth.length; ) {
            Draft draft = fast.draft(lane, budget);
            dull.draft(lane, budget);
            assertThat(nodes(draft)).as(place).isEqualTo(dull.nodes());
            requireShares(draft, place);
            for (int told = random.nextInt(6); told > 0; told--) {
                tell(random, alphabet, rows, dullRows, random.nextBoolean() ? fast : null);
            }
            int[] verified = verify(draft, truth, at);
            fast.verified(verified, verified.length);
            dull.verified(verified, verified.length);
            at += verified.length;
        }
        assertThat(mixer.weights()).as(place).isEqualTo(dull.weights());
        assertThat(rows.weights().copy()).as(place).isEqualTo(dullRows.weights());
        assertThat(rows.weightsOfRequests().copy()).as(place).isEqualTo(dullRows.weightsOfRequests());
    }

    /** Tells one row, with {@code null} as another request of the lane. */
    private static void tell(
            Random random, int alphabet, TargetRows rows, ReferenceRows dullRows, AdaptiveDrafter fast) {
        List<Integer> row = IntStream.range(0, alphabet).boxed().collect(Collectors.toList());
        Collections.shuffle(row, random);
        row = List.copyOf(row.subList(0, random.nextInt(Math.min(alphabet, rows.candidatesMax()) + 1)));
        int token = random.nextInt(alphabet);
        int[] likeliest = row.stream().mapToInt(Integer::intValue).toArray();
        if (fast == null) {
            rows.tell(token, likeliest, row.size());
            dullRows.tellLane(token, row);
        } else {
            fast.candidates(token, likeliest, row.size());
            dullRows.tell(token, row);
        }
    }

    /** Best first, parents before children, no token twice below one parent, siblings share what their parent has. */
    private static void requireShares(Draft draft, String place) {
        float[] shared = new float[draft.size() + 1];
        Set<Long> edges = new HashSet<>();
        for (int node = 0; node < draft.size(); node++) {
            int parent = draft.parent(node);
            assertThat(parent).as(place).isBetween(-1, node - 1);
            assertThat(edges.add(((long) parent << 32) + draft.token(node)))
                    .as(place)
                    .isTrue();
            assertThat(draft.probability(node))
                    .as(place)
                    .isBetween(0f, node == 0 ? 1f : draft.probability(node - 1))
                    .isLessThanOrEqualTo(parent < 0 ? 1f : draft.probability(parent));
            assertThat(draft.source(node) == null).as(place).isEqualTo(draft.matchLength(node) == 0);
            shared[parent + 1] += draft.probability(node);
        }
        for (int parent = -1; parent < draft.size(); parent++) {
            float whole = parent < 0 ? 1 : draft.probability(parent);
            assertThat(shared[parent + 1]).as(place).isLessThanOrEqualTo(whole * (1 + 1e-4f));
        }
    }

    @Test
    void withoutRowsItDraftsWhatTheVotersSay() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            LaneIndex lane = RandomLane.lane(random, 5);
            int[] context = random.ints(30, 0, 5).toArray();
            AdaptiveDrafter plain = new AdaptiveDrafter(Mixer.defaults(), OPEN);
            AdaptiveDrafter told = plain.with(new TargetRows(8));
            plain.begin(context, context.length);
            told.begin(context, context.length);
            Draft one = plain.draft(lane, 16);
            Draft other = told.draft(lane, 16);
            assertThat(tokens(other)).as("seed %d", seed).isEqualTo(tokens(one));
            for (int node = 0; node < one.size(); node++) {
                assertThat(other.probability(node)).as("seed %d", seed).isCloseTo(one.probability(node), within(1e-3f));
            }
        }
    }

    @Test
    void whereNothingWasSaidBeforeTheRowsAreTheDraftAlsoBelowEachOther() {
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), OPEN).with(new TargetRows(2));
        drafter.begin(new int[] {1}, 1);
        assertThat(drafter.draft(LaneIndex.EMPTY, 8).size()).isZero();
        assertThat(drafter.lacks(1)).isTrue();
        drafter.candidates(1, new int[] {2, 3, 4}, 3);
        drafter.candidates(2, new int[] {5, 6}, 2);
        assertThat(drafter.lacks(1)).isFalse();
        Draft draft = drafter.draft(LaneIndex.EMPTY, 8);
        assertThat(tokens(draft)).containsExactlyInAnyOrder(2, 3, 5, 6);
        assertThat(draft.source(0)).isNull();
        assertThat(draft.matchLength(0)).isZero();
    }

    @Test
    void ranksThatComeTrueGrowLikelierAndOnesThatDoNotLessSo() {
        TargetRows rows = new TargetRows(3);
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), OPEN).with(rows);
        for (int i = 0; i < 200; i++) {
            int[] context = {1000 + i};
            drafter.begin(context, 1);
            drafter.candidates(context[0], new int[] {1, 2, 3}, 3);
            drafter.draft(LaneIndex.EMPTY, 3);
            drafter.verified(new int[] {2}, 1);
        }
        drafter.begin(new int[] {1000}, 1);
        drafter.candidates(1000, new int[] {1, 2, 3}, 3);
        Draft draft = drafter.draft(LaneIndex.EMPTY, 3);
        assertThat(draft.token(0)).isEqualTo(2);
        assertThat(draft.probability(0)).isGreaterThan(0.5f);
        assertThat(draft.probability(1)).isLessThan(0.1f);
    }

    @Test
    void whatItsOwnVerificationsToldStandsForTheLanesUntilTheRequestEnds() {
        TargetRows rows = new TargetRows(1);
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), OPEN).with(rows);
        drafter.begin(new int[] {1}, 1);
        drafter.candidates(1, new int[] {2}, 1);
        rows.tell(1, new int[] {3}, 1);
        assertThat(tokens(drafter.draft(LaneIndex.EMPTY, 1))).containsExactly(2);
        drafter.begin(new int[] {1}, 1);
        assertThat(tokens(drafter.draft(LaneIndex.EMPTY, 1))).containsExactly(3);
    }

    @Test
    void nodesBelowWhatIsOfUseAreNotGrown() {
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), OPEN).with(new TargetRows(8));
        drafter.begin(new int[] {1}, 1);
        for (int token = 1; token < 9; token++) {
            drafter.candidates(token, IntStream.range(1, 9).toArray(), 8);
        }
        assertThat(drafter.draft(LaneIndex.EMPTY, 64).size()).isGreaterThan(20);
        Draft draft = drafter.draft(LaneIndex.EMPTY, 64, 0.1f);
        assertThat(draft.size()).isBetween(1, 8);
        assertThat(draft.probability(draft.size() - 1)).isGreaterThanOrEqualTo(0.1f);
    }

    @Test
    void withoutTreesTheLikeliestPathOfBothIsDrafted() {
        AdaptiveDrafter drafter =
                new AdaptiveDrafter(Mixer.defaults(), OPEN, false, DraftPart.ALL).with(new TargetRows(2));
        drafter.begin(new int[] {1}, 1);
        drafter.candidates(1, new int[] {2, 3}, 2);
        drafter.candidates(2, new int[] {3, 1}, 2);
        Draft draft = drafter.draft(LaneIndex.EMPTY, 3);
        assertThat(tokens(draft)).startsWith(2, 3);
        for (int node = 0; node < draft.size(); node++) {
            assertThat(draft.parent(node)).isEqualTo(node - 1);
        }
    }

    @Test
    void draftsAndVerificationsAllocateNothingInSteadyState() {
        Random random = new Random(11);
        int[] text = random.ints(1500, 0, 40).toArray();
        int[] row = random.ints(8, 0, 40).distinct().toArray();
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), OPEN).with(new TargetRows(8));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        LaneIndex lane = new FlatLane(random.ints(600, 0, 40).toArray()).index();
        long bytes = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            drafter.begin(text, 500);
            int[] tokens = new int[1];
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int at = 500; at < text.length; at++) {
                drafter.draft(lane, 31);
                drafter.candidates(text[at - 1], row, row.length);
                tokens[0] = text[at];
                drafter.verified(tokens, 1);
            }
            bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(bytes).isLessThan(1000 / 10);
    }

    private static List<Integer> tokens(Draft draft) {
        return IntStream.range(0, draft.size()).map(draft::token).boxed().toList();
    }

    private static List<ReferenceDrafter.Drafted> nodes(Draft draft) {
        return IntStream.range(0, draft.size())
                .mapToObj(node -> new ReferenceDrafter.Drafted(
                        draft.token(node),
                        draft.parent(node),
                        draft.probability(node),
                        draft.source(node),
                        draft.matchLength(node)))
                .toList();
    }

    /** The accepted path and the token after it, as a verifier reports them. */
    private static int[] verify(Draft draft, int[] truth, int at) {
        AcceptedPath path = new AcceptedPath();
        path.walk(draft, truth, at);
        return Arrays.copyOf(path.tokens(), path.length());
    }
}
