package io.tailrace.suffix.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Weights here are one number, the second at which they were noted: what comes back says which moment was taken. */
class WeightHistoryTest {
    private static final long STEP = WeightHistory.SPACING_MILLIS;
    private static final long HOUR = 3_600_000;
    private static final int MOMENTS_MAX = LocalWeights.MOMENTS_MAX;

    private static float[] weights(long millis) {
        return new float[] {millis / 1_000f};
    }

    private static long millis(float[] weights) {
        return 1_000L * (long) weights[0];
    }

    private static long seconds(Random random, int most) {
        return 1_000L * (10 + random.nextInt(most));
    }

    private static double resolution(long span, int momentsMax) {
        return Math.pow((span + STEP) / (double) STEP, 2.0 / momentsMax) - 1;
    }

    @Test
    void everyMomentIsFoundWithinTheStatedResolution() {
        Cases.forEachSeed(3_000, seed -> {
            Random random = new Random(seed);
            int momentsMax = 2 * (1 + random.nextInt(MOMENTS_MAX / 2));
            WeightHistory history = new WeightHistory(momentsMax, 0, weights(0));
            List<Long> all = new ArrayList<>(List.of(0L));
            long now = 0;
            int notes = random.nextInt(600);
            for (int note = 0; note < notes; note++) {
                now += random.nextInt(20) == 0 ? seconds(random, 5_000) : seconds(random, 1 + random.nextInt(20));
                history.note(now, weights(now));
                all.add(now);
                assertThat(history.size()).isLessThanOrEqualTo(momentsMax);
            }
            for (int query = 0; query < 20; query++) {
                long asked = (long) (random.nextDouble() * (now + 2 * STEP)) - STEP;
                check(history, all, asked, resolution(now, momentsMax));
            }
            check(history, all, now, 0);
        });
    }

    private static void check(WeightHistory history, List<Long> all, long asked, double resolution) {
        long now = all.get(all.size() - 1);
        long right = all.stream().filter(each -> each <= asked).reduce(0L, Math::max);
        long got = millis(history.at(asked));
        assertThat(all).as("a moment that was noted").contains(got);
        assertThat(got).as("not younger than the last note up to %d", asked).isLessThanOrEqualTo(right);
        assertThat((double) (right - got))
                .as("at %d of %d", asked, now)
                .isLessThanOrEqualTo(resolution * (now - right + STEP) + 1e-6);
    }

    /** A note every ten seconds for a day: what it comes to in practice, beside the bound. */
    @Test
    void anHourAgoIsKnownToAFifthAndADayAgoToAThird() {
        WeightHistory history = new WeightHistory(MOMENTS_MAX, 0, weights(0));
        for (long now = STEP; now <= 24 * HOUR; now += STEP) {
            history.note(now, weights(now));
            if (now == HOUR) {
                assertThat(worst(history, now)).isLessThanOrEqualTo(0.203);
            }
        }
        assertThat(worst(history, 24 * HOUR)).isLessThanOrEqualTo(0.328);
    }

    private static double worst(WeightHistory history, long now) {
        double worst = 0;
        for (long asked = 0; asked <= now; asked += STEP) {
            double late = asked - (double) millis(history.at(asked));
            worst = Math.max(worst, late / (now - asked + STEP));
        }
        return worst;
    }

    @Test
    void aRebasedHistoryIsToldAsIfTheWeightsHadBeenThereAtThatTime() {
        WeightHistory history = new WeightHistory(MOMENTS_MAX, 0, new float[] {1, 1});
        history.note(STEP, new float[] {2, 1});
        history.note(2 * STEP, new float[] {4, 0});
        WeightHistory rebased = history.rebased(new float[] {10, 20}, STEP + 1);
        assertThat(rebased.at(STEP)).containsExactly(10, 20);
        assertThat(rebased.latest()).containsExactly(12, 19);
        assertThat(history.latest()).as("the history before").containsExactly(4, 0);
    }

    @Test
    void aClockThatIsSetBackStandsStill() {
        WeightHistory history = new WeightHistory(MOMENTS_MAX, 10 * STEP, weights(0));
        assertThat(history.isDue(STEP)).isFalse();
        history.note(STEP, weights(1_000));
        assertThat(history.latest()).containsExactly(1);
        assertThat(history.at(10 * STEP)).containsExactly(1);
    }
}
