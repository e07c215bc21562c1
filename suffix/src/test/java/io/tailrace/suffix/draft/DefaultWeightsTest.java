package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
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

    @Test
    void logLossIsTheSurpriseAtWhatCame() {
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
        drafter.begin(new int[] {1, 2, 3, 1, 2}, 5);
        Draft draft = drafter.draft(LaneIndex.EMPTY, 1);
        float predicted = draft.probability(0);
        assertThat(draft.token(0)).isEqualTo(3);
        drafter.verified(new int[] {3}, 1);
        assertThat(drafter.predictions()).isEqualTo(1);
        assertThat(drafter.logLoss()).isCloseTo(-Math.log(predicted), org.assertj.core.api.Assertions.within(1e-5));
    }

    @Test
    void aMixerTakesOverWeightsAndLearnsAsFastAsItIsTold() {
        Mixer still = Mixer.defaults();
        still.hurry(0);
        learnOnce(still);
        assertThat(still.weights()).isEqualTo(Mixer.defaults().weights());
        Mixer other = Mixer.untrained();
        other.set(still.weights());
        assertThat(other.weights()).isEqualTo(still.weights());
    }

    private static void learnOnce(Mixer mixer) {
        AdaptiveDrafter drafter = new AdaptiveDrafter(mixer, DraftPolicy.defaults());
        drafter.begin(new int[] {1, 2, 3, 1, 2}, 5);
        drafter.draft(LaneIndex.EMPTY, 4);
        drafter.verified(new int[] {3}, 1);
    }

    private static float firstProbability(int[] context) {
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
        drafter.begin(context, context.length);
        return drafter.draft(LaneIndex.EMPTY, 1).probability(0);
    }
}
