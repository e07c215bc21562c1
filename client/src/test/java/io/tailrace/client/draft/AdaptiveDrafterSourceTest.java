package io.tailrace.client.draft;

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

class AdaptiveDrafterSourceTest {
    private static final long SEED = 20_261_201L;

    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final AdaptiveDrafterSource source = new AdaptiveDrafterSource(true, clock::get);

    private static DraftPolicy policy(float[] weights) {
        return new DraftPolicy(true, 16, 0.003f, weights.length == 0 ? 0 : Mixer.LAYOUT, weights);
    }

    private static float[] flat(float value) {
        float[] weights = Mixer.defaults().weights();
        java.util.Arrays.fill(weights, value);
        return weights;
    }

    private void learn(DraftPolicy policy, long learnedAt) {
        learn(source.under(policy, learnedAt, false), 50);
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
            Drafter drafter = source.under(bad, learnedAt, true);
            drafter.begin(new int[] {1, 2, 3, 1, 2}, 5);
            for (int step = 0; step < 300; step++) {
                drafter.draft(LaneIndex.EMPTY, 4);
                drafter.verified(new int[] {random.nextInt(4)}, 1);
            }
        }
        assertThat(furthest(source.weights(), begun)).isGreaterThan(1);
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
        source.under(first, 0, false);
        float[] whenThePolicyWasLearned = source.weights();
        long learnedAt = clock.get();
        learn(first, 0);
        float[] now = source.weights();
        assertThat(now).isNotEqualTo(whenThePolicyWasLearned);
        clock.addAndGet(5_000);

        float[] learned = flat(0.25f);
        source.under(policy(learned), learnedAt, false);

        float[] rebased = source.weights();
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
        source.remember();
        float[] whenThePolicyWasLearned = source.weights();
        clock.addAndGet(5_000);

        float[] learned = flat(0.25f);
        source.another(policy(learned), clock.get());

        assertThat(source.weights()).containsExactly(learned, within(1e-5f));
        assertThat(whenThePolicyWasLearned).isNotEqualTo(learned);
    }

    @Test
    void policiesThatChangeOtherNumbersLeaveTheWeightsAlone() {
        DraftPolicy first = policy(new float[0]);
        learn(first, 0);
        float[] before = source.weights();
        source.under(new DraftPolicy(true, 8, 0.01f, 0, new float[0]), clock.get(), false);
        source.under(new DraftPolicy(true, 8, 0.01f, 99, new float[] {1}), clock.get(), false);
        assertThat(source.weights()).isEqualTo(before);
    }

    @Test
    void goingBackToAnEarlierPolicyLeavesNothingOfTheOneBetween() {
        for (DraftPolicy bad : List.of(policy(flat(9f)), policy(random(SEED)))) {
            AdaptiveDrafterSourceTest worker = new AdaptiveDrafterSourceTest();
            worker.goBackFrom(bad);
        }
    }

    private void goBackFrom(DraftPolicy bad) {
        DraftPolicy good = policy(flat(0.1f));
        learn(good, clock.get());
        long learnedAt = clock.get();
        clock.addAndGet(30_000);
        learn(good, learnedAt);
        float[] weights = source.weights();
        String drafts = drafts(source.under(good, learnedAt, false));

        learnHeavily(bad, clock.get());
        assertThat(drafts(source.under(bad, 0, false))).isNotEqualTo(drafts);

        assertThat(drafts(source.under(good, learnedAt, false))).isEqualTo(drafts);
        assertThat(source.weights()).containsExactly(weights);
        clock.addAndGet(60_000);
        learn(good, learnedAt);
        assertThat(source.weights()).as("and it learns on").isNotEqualTo(weights);
    }

    /** What a lane begins with: a version whose policy brings no weights. */
    @Test
    void goingBackToThePolicyWithoutWeightsIsGoingBackToTheProducts() {
        DraftPolicy first = policy(new float[0]);
        learn(first, 0);
        float[] weights = source.weights();
        learnHeavily(policy(flat(9f)), clock.get());
        source.under(first, 0, false);
        assertThat(source.weights()).containsExactly(weights);
    }

    @Test
    void aWorkerThatBeganUnderABadPolicyTakesTheEarlierOneAsItIs() {
        long learnedAt = clock.get() - 600_000;
        DraftPolicy good = policy(flat(0.1f));
        learnHeavily(policy(flat(9f)), clock.get());
        source.under(good, learnedAt, false);
        assertThat(source.weights()).containsExactly(good.weights());
    }

    /** As when a lane's only version was withdrawn. */
    @Test
    void whereNoVersionIsLiveTheWeightsStay() {
        learn(policy(flat(0.1f)), clock.get());
        float[] weights = source.weights();
        source.under(DraftPolicy.unannounced(), 0, false);
        assertThat(source.weights()).containsExactly(weights);
    }

    @Test
    void underADriftAlarmTheWeightsMoveFaster() {
        float[] calm = source.weights();
        learn(source.under(policy(new float[0]), 0, false), 20);
        float usual = furthest(source.weights(), calm);
        AdaptiveDrafterSource alarmed = new AdaptiveDrafterSource(true, clock::get);
        learn(alarmed.under(policy(new float[0]), 0, true), 20);
        float hurried = furthest(alarmed.weights(), calm);
        assertThat(usual).isPositive();
        assertThat(hurried / usual).isCloseTo(AdaptiveDrafterSource.HURRY, within(0.5f));

        float[] before = alarmed.weights();
        learn(alarmed.under(policy(new float[0]), 0, false), 20);
        float[] after = alarmed.weights();
        assertThat(furthest(after, before)).as("the alarm is over").isLessThan(hurried / 2);
    }
}
