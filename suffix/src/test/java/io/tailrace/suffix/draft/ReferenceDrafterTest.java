package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The fast drafter and its dull twin draft the same trees and learn the same weights, to the last bit. */
class ReferenceDrafterTest {
    private static final int CASES = 3000;

    @Test
    void treesAndWeightsEqualThoseOfTheDullTwin() {
        for (long seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            runRequest(random, 1 + random.nextInt(8), random.nextInt(12), random.nextInt(65), "seed " + seed);
        }
    }

    @Test
    void theyAgreeWhenAllTokensAreEqual() {
        for (long seed = 0; seed < 50; seed++) {
            runRequest(new Random(seed), 1, 20, DraftPolicy.BUDGET_MAX, "all equal, seed " + seed);
        }
    }

    @Test
    void theyAgreeOnLongerRequestsOfOneMixer() {
        for (long seed = 0; seed < 20; seed++) {
            runRequest(new Random(seed), 3, 150, 16, "long, seed " + seed);
        }
    }

    /** Then similar answers alone join at nodes. */
    @Test
    void theyAgreeWhereTheOwnContextDoesNotVote() {
        for (long seed = 0; seed < CASES / 3; seed++) {
            Random random = new Random(seed);
            int alphabet = 1 + random.nextInt(8);
            runRequest(random, alphabet, random.nextInt(12), random.nextInt(65), false, "not own, seed " + seed);
        }
    }

    private static void runRequest(Random random, int alphabet, int tokens, int budget, String place) {
        runRequest(random, alphabet, tokens, budget, true, place);
    }

    private static void runRequest(
            Random random, int alphabet, int tokens, int budget, boolean ownVotes, String place) {
        float floor = random.nextBoolean() ? 0.003f : 0;
        DraftPolicy policy = new DraftPolicy(true, DraftPolicy.BUDGET_MAX, floor, 0, new float[0]);
        Mixer mixer = Mixer.defaults();
        Set<DraftPart> parts = EnumSet.allOf(DraftPart.class);
        parts.removeIf(part -> part == DraftPart.OWN && !ownVotes);
        AdaptiveDrafter fast = new AdaptiveDrafter(mixer, policy, true, parts);
        ReferenceDrafter dull = new ReferenceDrafter(mixer.weights(), policy, null, ownVotes);
        int[] prompt = random.ints(1 + random.nextInt(20), 0, alphabet).toArray();
        fast.begin(prompt, prompt.length);
        dull.begin(prompt, prompt.length);
        int[] truth = random.ints(tokens, 0, alphabet).toArray();
        LaneIndex lane = RandomLane.lane(random, alphabet);
        for (int at = 0; at < truth.length; ) {
            lane = random.nextInt(10) == 0 ? RandomLane.lane(random, alphabet) : lane;
            Draft draft = fast.draft(lane, budget);
            dull.draft(lane, budget);
            assertThat(nodes(draft)).as(place).isEqualTo(dull.nodes());
            int[] verified = verify(draft, truth, at);
            fast.verified(verified, verified.length);
            dull.verified(verified, verified.length);
            at += verified.length;
        }
        assertThat(mixer.weights()).as(place).isEqualTo(dull.weights());
    }

    private static List<ReferenceDrafter.Drafted> nodes(Draft draft) {
        List<ReferenceDrafter.Drafted> nodes = new ArrayList<>();
        for (int node = 0; node < draft.size(); node++) {
            nodes.add(new ReferenceDrafter.Drafted(
                    draft.token(node),
                    draft.parent(node),
                    draft.probability(node),
                    draft.source(node),
                    draft.matchLength(node)));
        }
        return nodes;
    }

    /** The accepted path and the token after it, as a verifier reports them. */
    private static int[] verify(Draft draft, int[] truth, int at) {
        AcceptedPath path = new AcceptedPath();
        path.walk(draft, truth, at);
        return Arrays.copyOf(path.tokens(), path.length());
    }
}
