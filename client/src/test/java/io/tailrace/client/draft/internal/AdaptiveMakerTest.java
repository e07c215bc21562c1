package io.tailrace.client.draft.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AdaptiveMakerTest {
    private static final long SEED = 20_261_201L;

    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final AdaptiveMaker maker = new AdaptiveMaker(true, clock::get);

    /** The drafter of the next request. */
    private Drafter under(DraftPolicy policy, long learnedAt, boolean hurry) {
        return under(maker, policy, learnedAt, hurry);
    }

    private static Drafter under(AdaptiveMaker maker, DraftPolicy policy, long learnedAt, boolean hurry) {
        maker.requestBegins(hurry);
        return maker.another(policy, learnedAt);
    }

    private static DraftPolicy policy(float[] weights) {
        return new DraftPolicy(true, 16, 0.003f, weights.length == 0 ? 0 : Mixer.LAYOUT, weights);
    }

    private static float[] flat(float value) {
        float[] weights = Mixer.defaults().weights();
        java.util.Arrays.fill(weights, value);
        return weights;
    }

    private void learn(DraftPolicy policy, long learnedAt) {
        learn(under(policy, learnedAt, false), 50);
    }

    private static void learn(Drafter drafter, int steps) {
        drafter.begin(new int[] {1, 2, 3, 1, 2}, 5);
        for (int i = 0; i < steps; i++) {
            drafter.draft(LaneIndex.EMPTY, 4);
            drafter.verified(new int[] {i % 3}, 1);
        }
    }

    /** Answers that nothing foretells, for an hour, under weights that are sure of themselves: the corrections are units large. */
    private void learnHeavily(DraftPolicy bad, long learnedAt) {
        float[] begun = bad.weights();
        Random random = new Random(SEED);
        for (int minute = 0; minute < 60; minute++) {
            clock.addAndGet(60_000);
            Drafter drafter = under(bad, learnedAt, true);
            drafter.begin(new int[] {1, 2, 3, 1, 2}, 5);
            for (int step = 0; step < 300; step++) {
                drafter.draft(LaneIndex.EMPTY, 4);
                drafter.verified(new int[] {random.nextInt(4)}, 1);
            }
        }
        assertThat(furthest(maker.weights(), begun)).isGreaterThan(1);
    }

    private static float furthest(float[] one, float[] other) {
        float most = 0;
        for (int i = 0; i < one.length; i++) {
            most = Math.max(most, Math.abs(one[i] - other[i]));
        }
        return most;
    }

    private static float[] random(long seed) {
        Random random = new Random(seed);
        float[] weights = flat(0);
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (float) (2 * random.nextGaussian());
        }
        return weights;
    }

    /** What is drafted for a request, token by token with its probability; nothing is learned from it. */
    private static String drafts(Drafter drafter) {
        StringBuilder drafts = new StringBuilder();
        int[] prompt = {1, 2, 3, 1, 2, 4, 1, 2, 3, 5, 1, 2};
        for (int length = 1; length <= prompt.length; length++) {
            drafter.begin(prompt, length);
            Draft draft = drafter.draft(LaneIndex.EMPTY, 8);
            for (int node = 0; node < draft.size(); node++) {
                drafts.append(draft.parent(node)).append(' ').append(draft.token(node));
                drafts.append(' ').append(draft.probability(node)).append('\n');
            }
        }
        return drafts.toString();
    }

    @Test
    void aNewPolicyBringsItsWeightsAndTheWorkerKeepsWhatItLearnedSince() {
        DraftPolicy first = policy(new float[0]);
        learn(first, 0);
        clock.addAndGet(20_000);
        under(first, 0, false);
        float[] whenThePolicyWasLearned = maker.weights();
        long learnedAt = clock.get();
        learn(first, 0);
        float[] now = maker.weights();
        assertThat(now).isNotEqualTo(whenThePolicyWasLearned);
        clock.addAndGet(5_000);

        float[] learned = flat(0.25f);
        under(policy(learned), learnedAt, false);

        float[] rebased = maker.weights();
        for (int i = 0; i < rebased.length; i++) {
            assertThat(rebased[i]).isCloseTo(learned[i] + now[i] - whenThePolicyWasLearned[i], within(1e-5f));
        }
    }

    /** A serving worker's drafters are made once and serve many requests: what is noted at each request is what counts. */
    @Test
    void aPolicyIsAddedToWhatWasLearnedSinceTheLastNoteNotSinceTheLastPolicy() {
        DraftPolicy first = policy(new float[0]);
        learn(first, 0);
        clock.addAndGet(20_000);
        maker.remember();
        float[] whenThePolicyWasLearned = maker.weights();
        clock.addAndGet(5_000);

        float[] learned = flat(0.25f);
        maker.another(policy(learned), clock.get());

        assertThat(maker.weights()).containsExactly(learned, within(1e-5f));
        assertThat(whenThePolicyWasLearned).isNotEqualTo(learned);
    }

    @Test
    void policiesThatChangeOtherNumbersLeaveTheWeightsAlone() {
        DraftPolicy first = policy(new float[0]);
        learn(first, 0);
        float[] before = maker.weights();
        under(new DraftPolicy(true, 8, 0.01f, 0, new float[0]), clock.get(), false);
        under(new DraftPolicy(true, 8, 0.01f, 99, new float[] {1}), clock.get(), false);
        assertThat(maker.weights()).isEqualTo(before);
    }

    @Test
    void goingBackToAnEarlierPolicyLeavesNothingOfTheOneBetween() {
        for (DraftPolicy bad : List.of(policy(flat(9f)), policy(random(SEED)))) {
            AdaptiveMakerTest worker = new AdaptiveMakerTest();
            worker.goBackFrom(bad);
        }
    }

    private void goBackFrom(DraftPolicy bad) {
        DraftPolicy good = policy(flat(0.1f));
        learn(good, clock.get());
        long learnedAt = clock.get();
        clock.addAndGet(30_000);
        learn(good, learnedAt);
        float[] weights = maker.weights();
        String drafts = drafts(under(good, learnedAt, false));

        learnHeavily(bad, clock.get());
        assertThat(drafts(under(bad, 0, false))).isNotEqualTo(drafts);

        assertThat(drafts(under(good, learnedAt, false))).isEqualTo(drafts);
        assertThat(maker.weights()).containsExactly(weights);
        clock.addAndGet(60_000);
        learn(good, learnedAt);
        assertThat(maker.weights()).as("and it learns on").isNotEqualTo(weights);
    }

    /** What a lane begins with: a version whose policy brings no weights. */
    @Test
    void goingBackToThePolicyWithoutWeightsIsGoingBackToTheProducts() {
        DraftPolicy first = policy(new float[0]);
        learn(first, 0);
        float[] weights = maker.weights();
        learnHeavily(policy(flat(9f)), clock.get());
        under(first, 0, false);
        assertThat(maker.weights()).containsExactly(weights);
    }

    @Test
    void aWorkerThatBeganUnderABadPolicyTakesTheEarlierOneAsItIs() {
        long learnedAt = clock.get() - 600_000;
        DraftPolicy good = policy(flat(0.1f));
        learnHeavily(policy(flat(9f)), clock.get());
        under(good, learnedAt, false);
        assertThat(maker.weights()).containsExactly(good.weights());
    }

    /** As when a lane's only version was withdrawn. */
    @Test
    void whereNoVersionIsLiveTheWeightsStay() {
        learn(policy(flat(0.1f)), clock.get());
        float[] weights = maker.weights();
        under(DraftPolicy.unannounced(), 0, false);
        assertThat(maker.weights()).containsExactly(weights);
    }

    @Test
    void underADriftAlarmTheWeightsMoveFaster() {
        float[] calm = maker.weights();
        learn(under(policy(new float[0]), 0, false), 20);
        float usual = furthest(maker.weights(), calm);
        AdaptiveMaker alarmed = new AdaptiveMaker(true, clock::get);
        learn(under(alarmed, policy(new float[0]), 0, true), 20);
        float hurried = furthest(alarmed.weights(), calm);
        assertThat(usual).isPositive();
        assertThat(hurried / usual).isCloseTo(AdaptiveMaker.HURRY, within(0.5f));

        float[] before = alarmed.weights();
        learn(under(alarmed, policy(new float[0]), 0, false), 20);
        float[] after = alarmed.weights();
        assertThat(furthest(after, before)).as("the alarm is over").isLessThan(hurried / 2);
    }
}
