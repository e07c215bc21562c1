package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MixerTest {
    @Test
    void weightsSurviveTheRoundTrip() {
        float[] weights = new float[Mixer.WEIGHTS];
        Random random = new Random(3);
        for (int i = 0; i < weights.length; i++) {
            weights[i] = random.nextFloat() - 0.5f;
        }
        assertThat(Mixer.of(weights).weights()).isEqualTo(weights);
    }

    @Test
    void theWeightsAreACopy() {
        Mixer mixer = Mixer.defaults();
        mixer.weights()[0] = 100;
        assertThat(mixer.weights()).isEqualTo(Mixer.defaults().weights());
    }

    @Test
    void weightsOfAnotherLayoutAreRefused() {
        assertThatThrownBy(() -> Mixer.of(new float[3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 3");
        float[] weights = new float[Mixer.WEIGHTS];
        weights[17] = Float.NaN;
        assertThatThrownBy(() -> Mixer.of(weights)).hasMessageContaining("weight 17 must be finite");
    }

    @Test
    void theExponentialTableIsExactEnough() {
        for (float exponent = -15.9f; exponent < 16; exponent += 0.013f) {
            double ratio = Exponential.of(exponent) / StrictMath.exp(exponent);
            assertThat(ratio).isBetween(1 - 1e-5, 1 + 1e-5);
        }
        assertThat(Exponential.of(Float.NEGATIVE_INFINITY)).isPositive();
        assertThat(Exponential.of(Float.POSITIVE_INFINITY)).isFinite();
    }

    @Test
    void theFrontierPopsByProbabilityThenAge() {
        Frontier frontier = new Frontier();
        Random random = new Random(9);
        int count = 1000;
        float[] probabilities = new float[count];
        for (int i = 0; i < count; i++) {
            probabilities[i] = random.nextInt(20) / 20f;
            frontier.push(probabilities[i], i);
        }
        int previous = frontier.pop();
        while (!frontier.isEmpty()) {
            int next = frontier.pop();
            assertThat(probabilities[next]).isLessThanOrEqualTo(probabilities[previous]);
            if (probabilities[next] == probabilities[previous]) {
                assertThat(next).isGreaterThan(previous);
            }
            previous = next;
        }
    }

    @Test
    void aPolicyOutOfBoundsIsRefused() {
        assertThatThrownBy(() -> new DraftPolicy(true, 65, 0.1f, 0, new float[0]))
                .hasMessageContaining("got 65");
        assertThatThrownBy(() -> new DraftPolicy(true, 8, Float.NaN, 0, new float[0]))
                .hasMessageContaining("probabilityFloor must be in [0, 1]");
    }
}
