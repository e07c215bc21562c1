package io.tailrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.lane.LaneIndex;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AdaptiveDrafterSourceTest {
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
        Drafter drafter = source.under(policy, learnedAt, false);
        drafter.begin(new int[] {1, 2, 3, 1, 2}, 5);
        for (int i = 0; i < 50; i++) {
            drafter.draft(LaneIndex.EMPTY, 4);
            drafter.verified(new int[] {i % 3}, 1);
        }
    }

    @Test
    void aNewPolicyBringsItsWeightsAndTheWorkerKeepsWhatItLearnedSince() {
        DraftPolicy first = policy(new float[0]);
        learn(first, 0);
        clock.addAndGet(20_000);
        source.under(first, 0, false);
        float[] whenThePolicyWasLearned = source.weights();
        learn(first, 0);
        float[] now = source.weights();
        assertThat(now).isNotEqualTo(whenThePolicyWasLearned);

        float[] learned = flat(0.25f);
        source.under(policy(learned), clock.get(), false);

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
        learn(policy(flat(0.1f)), 0);
        float[] own = source.weights();
        source.under(policy(flat(9f)), clock.get(), false);
        source.under(policy(flat(0.1f)), 0, false);
        float[] back = source.weights();
        for (int i = 0; i < back.length; i++) {
            assertThat(back[i]).isCloseTo(own[i], within(0.2f));
        }
    }
}
