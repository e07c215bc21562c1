package io.tailrace.suffix.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LocalWeightsTest {
    private static final long STEP = LocalWeights.SPACING_MILLIS;

    @Test
    void whatWasLearnedBeforeThePolicyWasIsReplacedByItAndWhatCameSinceStays() {
        LocalWeights local = new LocalWeights();
        local.remember(0, new float[] {0, 0});
        local.remember(STEP, new float[] {1, 0});
        local.remember(2 * STEP, new float[] {2, 5});
        float[] rebased = local.rebase(new float[] {10, 10}, STEP, new float[] {3, 5});
        assertThat(rebased).containsExactly(12, 15);
    }

    @Test
    void aWorkerThatLearnedNothingTakesThePolicyAsItIs() {
        LocalWeights local = new LocalWeights();
        assertThat(local.rebase(new float[] {4}, 7, new float[] {1})).containsExactly(4);
        local.remember(0, new float[] {4});
        assertThat(local.rebase(new float[] {6}, STEP, new float[] {4})).containsExactly(6);
    }

    /** Policies that say exactly what the worker learned must not move it, however many come. */
    @Test
    void policiesThatAgreeWithTheWorkerLeaveItWhereItIs() {
        long seed = 20_261_122L;
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            LocalWeights local = new LocalWeights();
            float[] weights = {0};
            float[][] path = new float[60][];
            int newest = 0;
            for (int tick = 0; tick < path.length; tick++) {
                path[tick] = weights.clone();
                local.remember(tick * STEP, weights);
                weights[0] += (float) random.nextGaussian();
                if (tick > 3 && random.nextInt(4) == 0) {
                    int learned = Math.max(newest, tick - random.nextInt(3));
                    newest = learned;
                    weights = local.rebase(path[learned], learned * STEP, weights);
                }
            }
            float walked = weights[0];
            assertThat(local.rebase(path[59], 59 * STEP, weights)[0])
                    .as("seed %d round %d", seed, round)
                    .isCloseTo(walked, within(1e-3f));
        }
    }

    @Test
    void whatIsRememberedIsBounded() {
        LocalWeights local = new LocalWeights();
        for (int tick = 0; tick < 10 * LocalWeights.MOMENTS_MAX; tick++) {
            local.remember(tick * STEP, new float[] {tick});
        }
        int oldest = 9 * LocalWeights.MOMENTS_MAX;
        assertThat(local.rebase(new float[] {0}, 0, new float[] {oldest + 100})).containsExactly(100);
    }
}
