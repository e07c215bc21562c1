package io.tailrace.suffix.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.testkit.Cases;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LocalWeightsTest {
    private static final long STEP = WeightHistory.SPACING_MILLIS;
    private static final long HOUR = 3_600_000;

    @Test
    void whatWasLearnedBeforeThePolicyWasIsReplacedByItAndWhatCameSinceStays() {
        LocalWeights local = new LocalWeights(new float[] {0, 0}, 0);
        local.remember(STEP, new float[] {1, 0});
        local.remember(2 * STEP, new float[] {2, 5});
        float[] rebased = local.take(new float[] {10, 10}, STEP, 3 * STEP, new float[] {3, 5});
        assertThat(rebased).containsExactly(12, 15);
    }

    @Test
    void aWorkerThatLearnedNothingTakesThePolicyAsItIs() {
        LocalWeights local = new LocalWeights(new float[] {4}, 0);
        assertThat(local.take(new float[] {6}, 7, 8, new float[] {4})).containsExactly(6);
    }

    @Test
    void thePolicyInPlaceMovesNothing() {
        LocalWeights local = new LocalWeights(new float[] {4}, 0);
        local.take(new float[] {6}, 7, 8, new float[] {4});
        assertThat(local.take(new float[] {6}, 50, 60, new float[] {9})).containsExactly(9);
    }

    /** Policies that say exactly what the worker learned must not move it, however many come. */
    @Test
    void policiesThatAgreeWithTheWorkerLeaveItWhereItIs() {
        Cases.forEachSeed(1_000, seed -> {
            Random random = new Random(seed);
            float[] weights = {0};
            LocalWeights local = new LocalWeights(weights, -STEP);
            float[][] path = new float[40][];
            int newest = 0;
            for (int tick = 0; tick < path.length; tick++) {
                path[tick] = weights.clone();
                local.remember(tick * STEP, weights);
                weights[0] += (float) random.nextGaussian();
                if (tick > 3 && random.nextInt(4) == 0) {
                    newest = Math.max(newest, tick - random.nextInt(3));
                    float before = weights[0];
                    weights = local.take(path[newest], newest * STEP, tick * STEP + STEP / 2, weights);
                    assertThat(weights[0]).isCloseTo(before, within(1e-3f));
                }
            }
        });
    }

    /** A trial takes an hour where little is served: what was learned since the policy was is all there, and some from before it at most. */
    @Test
    void aPolicyLearnedAnHourOrADayAgoKeepsAllThatWasLearnedSince() {
        for (long ago : new long[] {HOUR, 24 * HOUR}) {
            LocalWeights local = new LocalWeights(new float[] {0}, 0);
            long now = 0;
            while (now < 2 * ago) {
                now += STEP;
                local.remember(now, new float[] {now / (float) STEP});
            }
            float since = ago / (float) STEP;
            float kept = local.take(new float[] {1_000}, now - ago, now, new float[] {now / (float) STEP})[0] - 1_000;
            double resolution = Math.pow(2.0 * since + 1, 2.0 / LocalWeights.MOMENTS_MAX) - 1;
            assertThat(kept).as("%d ms ago", ago).isBetween(since, (float) (since + resolution * (since + 1)));
        }
    }

    @Test
    void aPolicyThatComesBackGoesOnWhereItWasLeft() {
        LocalWeights local = new LocalWeights(new float[] {0}, 0);
        local.take(new float[] {10}, 0, STEP, new float[] {1});
        local.remember(2 * STEP, new float[] {12});
        assertThat(local.take(new float[] {-90}, 2 * STEP, 3 * STEP, new float[] {13}))
                .containsExactly(-89);
        local.remember(4 * STEP, new float[] {-50});
        assertThat(local.take(new float[] {10}, 0, 5 * STEP, new float[] {-20})).containsExactly(13);
        local.remember(6 * STEP, new float[] {14});
        assertThat(local.take(new float[] {11}, 5 * STEP, 7 * STEP, new float[] {15}))
                .as("a newer one, of what it was learned from onwards")
                .containsExactly(13);
    }

    /** An operator looks at an earlier version under a pin, and ends the pin. */
    @Test
    void backAndForthBetweenTwoPoliciesEachGoesOnWhereItWasLeft() {
        LocalWeights local = new LocalWeights(new float[] {0}, 0);
        float[] first = {10};
        float[] second = {10.25f};
        local.take(first, 0, STEP, new float[] {0});
        local.take(second, STEP, 2 * STEP, new float[] {12});
        assertThat(local.take(first, 0, 3 * STEP, new float[] {11.5f})).containsExactly(12);
        assertThat(local.take(second, STEP, 4 * STEP, new float[] {12.5f})).containsExactly(11.5f);
        assertThat(local.take(first, 0, 5 * STEP, new float[] {20})).containsExactly(12.5f);
    }

    @Test
    void anEarlierPolicyThatWasNeverHeldTakesNothingOverFromTheLaterOne() {
        LocalWeights local = new LocalWeights(new float[] {0}, 10 * STEP);
        local.take(new float[] {-90}, 9 * STEP, 11 * STEP, new float[] {0.5f});
        assertThat(local.take(new float[] {10}, 5 * STEP, 20 * STEP, new float[] {-40}))
                .as("what was learned before the bad one came")
                .containsExactly(10.5f);
    }

    /** Nobody rolled back: the job itself has found something better than weights that were forced. */
    @Test
    void aNewerPolicyTakesNothingOverFromBadWeightsThatItReplaces() {
        LocalWeights local = new LocalWeights(new float[] {0}, 0);
        local.take(new float[] {10}, 0, STEP, new float[] {0});
        local.take(new float[] {-90}, 2 * STEP, 2 * STEP, new float[] {10.5f});
        local.remember(4 * STEP, new float[] {-85});
        assertThat(local.take(new float[] {11}, 4 * STEP, 6 * STEP, new float[] {-50}))
                .containsExactly(11);
    }

    @Test
    void afterSoManyOthersAPolicyIsNewAgain() {
        LocalWeights local = new LocalWeights(new float[] {0}, 0);
        float[] weights = {5};
        for (int policy = 1; policy <= LocalWeights.HELD_MAX; policy++) {
            weights = local.take(new float[] {100 * policy}, policy * STEP, policy * STEP, weights);
            weights[0] += 5;
        }
        assertThat(local.take(new float[] {0}, 0, 99 * STEP, weights)).containsExactly(0);
    }

    /** Everything at once, beside a twin that keeps every step ever learned. */
    @Test
    void agreesWithATwinThatForgetsNothing() {
        Cases.forEachSeed(4_000, seed -> {
            Random random = new Random(seed);
            LocalWeights local = new LocalWeights(new float[] {0}, -STEP, 1_000, 1_000);
            NaiveLocalWeights twin = new NaiveLocalWeights(0, LocalWeights.HELD_MAX);
            float[] weights = {0};
            int ticks = 1 + random.nextInt(60);
            for (int tick = 0; tick < ticks; tick++) {
                local.remember(tick * STEP, weights);
                if (random.nextInt(4) > 0) {
                    int step = random.nextInt(9) - 4;
                    weights[0] += step;
                    twin.learn(tick * STEP, step);
                }
                if (random.nextInt(5) == 0) {
                    float policy = random.nextInt(12) * (random.nextInt(4) == 0 ? 40 : 1);
                    long learnedAt = random.nextInt(tick + 2) * STEP;
                    weights = local.take(new float[] {policy}, learnedAt, tick * STEP + STEP / 2, weights);
                    twin.take(policy, learnedAt);
                }
                assertThat(weights[0]).as("tick %d", tick).isEqualTo(twin.now());
            }
        });
    }
}
