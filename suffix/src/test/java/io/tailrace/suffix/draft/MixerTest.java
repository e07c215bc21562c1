package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.LaneIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    void whatWasLearnedIsTheWeightsAndTheirRates() {
        Mixer mixer = Mixer.defaults();
        float[] begun = mixer.learned();
        learn(mixer);
        float[] learned = mixer.learned();
        assertThat(Mixer.weightsOf(learned)).isEqualTo(mixer.weights()).isNotEqualTo(Mixer.weightsOf(begun));

        Mixer resumed = Mixer.defaults();
        resumed.resume(learned);
        Mixer same = Mixer.of(mixer.weights());
        learn(mixer);
        learn(resumed);
        learn(same);
        assertThat(resumed.learned()).isEqualTo(mixer.learned());
        assertThat(same.weights()).as("its rates have begun anew").isNotEqualTo(mixer.weights());

        mixer.resume(new float[3]);
        assertThat(mixer.learned()).isEqualTo(resumed.learned());
        mixer.set(Mixer.weightsOf(begun));
        assertThat(mixer.weights()).isEqualTo(Mixer.weightsOf(begun));
        mixer.set(resumed.weights());
        assertThat(mixer.learned()).as("other weights leave the rates").isEqualTo(resumed.learned());
        mixer.set(Mixer.weightsOf(learned));
        mixer.hurry(0);
        learn(mixer);
        assertThat(mixer.weights()).isEqualTo(Mixer.weightsOf(learned));
    }

    private static void learn(Mixer mixer) {
        AdaptiveDrafter drafter = new AdaptiveDrafter(mixer, DraftPolicy.defaults());
        int[] tokens = new Random(7).ints(300, 0, 4).toArray();
        drafter.begin(tokens, 20);
        for (int at = 20; at < tokens.length; at++) {
            drafter.draft(LaneIndex.EMPTY, 8);
            drafter.verified(new int[] {tokens[at]}, 1);
        }
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
            double ratio = Features.exponential(exponent) / StrictMath.exp(exponent);
            assertThat(ratio).isBetween(1 - 1e-5, 1 + 1e-5);
        }
        assertThat(Features.exponential(Float.NEGATIVE_INFINITY)).isPositive();
        assertThat(Features.exponential(Float.POSITIVE_INFINITY)).isFinite();
    }

    @Test
    void theFrontierPopsByProbabilityThenAge() {
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            int room = 1 + random.nextInt(DraftPolicy.BUDGET_MAX);
            Frontier frontier = new Frontier();
            frontier.open(room);
            float[] probabilities = new float[200];
            List<Integer> waiting = new ArrayList<>();
            int pushed = 0;
            while (room > 0 && (pushed < probabilities.length || !waiting.isEmpty())) {
                if (pushed < probabilities.length && random.nextInt(3) > 0) {
                    probabilities[pushed] = random.nextInt(20) / 20f;
                    frontier.push(probabilities[pushed], pushed);
                    waiting.add(pushed++);
                } else if (!waiting.isEmpty()) {
                    waiting.sort(Comparator.<Integer>comparingDouble(i -> -probabilities[i])
                            .thenComparingInt(i -> i));
                    assertThat(frontier.pop()).as("seed %d", seed).isEqualTo(waiting.remove(0));
                    room--;
                    waiting.sort(Comparator.<Integer>comparingDouble(i -> -probabilities[i])
                            .thenComparingInt(i -> i));
                    assertThat(frontier.threshold())
                            .isEqualTo(
                                    room == 0
                                            ? Float.POSITIVE_INFINITY
                                            : waiting.size() < room ? 0 : probabilities[waiting.get(room - 1)]);
                }
            }
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
