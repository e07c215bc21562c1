package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.lane.LaneIndex;
import org.junit.jupiter.api.Test;

class DefaultWeightsTest {
    @Test
    void theShippedWeightsAreTrainedOnesOfThisLayout() {
        float[] weights = Mixer.defaults().weights();
        assertThat(weights)
                .hasSize(Mixer.WEIGHTS)
                .isNotEqualTo(Mixer.untrained().weights());
        for (float weight : weights) {
            assertThat(weight).isBetween(-10f, 10f);
        }
    }

    @Test
    void learningLeavesTheShippedWeightsAlone() {
        Mixer mixer = Mixer.defaults();
        AdaptiveDrafter drafter = new AdaptiveDrafter(mixer, DraftPolicy.defaults());
        drafter.begin(new int[] {1, 2, 3, 1, 2}, 5);
        drafter.draft(LaneIndex.EMPTY, 4);
        drafter.verified(new int[] {3}, 1);
        assertThat(mixer.weights()).isNotEqualTo(Mixer.defaults().weights());
    }

    @Test
    void aLongMatchIsTrustedMoreThanAShortOne() {
        int[] context = new int[80];
        for (int i = 0; i < context.length; i++) {
            context[i] = i % 40;
        }
        assertThat(firstProbability(context)).isGreaterThan(0.5f);
        assertThat(firstProbability(new int[] {7, 8, 9, 7})).isLessThan(firstProbability(context));
    }

    private static float firstProbability(int[] context) {
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
        drafter.begin(context, context.length);
        return drafter.draft(LaneIndex.EMPTY, 1).probability(0);
    }
}
