package io.tailrace.lab.bench.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DiscriminationTest {
    @Test
    void worldsThatNeverMixAreToldApart() {
        Discrimination apart = Discrimination.of(List.of(3.0, 4.0, 9.0), List.of(1.0, 2.0), 1);
        assertThat(apart.value()).isEqualTo(1);
        assertThat(apart.low()).isEqualTo(1);
        assertThat(Discrimination.of(List.of(1.0, 2.0), List.of(3.0, 4.0, 9.0), 1)
                        .value())
                .isZero();
    }

    @Test
    void equalScoresTellNothing() {
        Discrimination equal = Discrimination.of(List.of(1.0, 1.0, 1.0), List.of(1.0, 1.0), 1);
        assertThat(equal.value()).isEqualTo(0.5);
        assertThat(equal.tells()).isFalse();
    }

    @Test
    void theAreaIsTheShareOfPairsInWhichTheOneWorldIsAbove() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int run = 0; run < 300; run++) {
            List<Double> inside = scores(random, 1 + random.nextInt(30), 0);
            List<Double> outside = scores(random, 1 + random.nextInt(30), 0);
            assertThat(Discrimination.of(inside, outside, 1).value())
                    .as("seed %d, run %d", seed, run)
                    .isCloseTo(pairs(inside, outside), within(1e-12));
        }
    }

    @Test
    void noiseIsNotTakenForALeakAndAShiftIs() {
        SplittableRandom random = new SplittableRandom(7);
        int told = 0;
        for (int run = 0; run < 100; run++) {
            told += Discrimination.of(scores(random, 100, 0), scores(random, 100, 0), run)
                            .tells()
                    ? 1
                    : 0;
        }
        assertThat(told).isLessThanOrEqualTo(1);
        assertThat(Discrimination.of(scores(random, 100, 4), scores(random, 100, 0), 1)
                        .tells())
                .isTrue();
    }

    @Test
    void theIntervalHoldsTheAreaAndNarrowsWithTrials() {
        SplittableRandom random = new SplittableRandom(11);
        Discrimination few = Discrimination.of(scores(random, 20, 2), scores(random, 20, 0), 1);
        Discrimination many = Discrimination.of(scores(random, 500, 2), scores(random, 500, 0), 1);
        assertThat(few.value()).isBetween(few.low(), few.high());
        assertThat(many.high() - many.low()).isLessThan((few.high() - few.low()) / 2);
    }

    @Test
    void aWorldWithoutScoresIsRefused() {
        assertThatThrownBy(() -> Discrimination.of(List.of(), List.of(1.0), 1)).hasMessageContaining("got 0");
    }

    private static List<Double> scores(SplittableRandom random, int count, int shift) {
        List<Double> scores = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            scores.add((double) (random.nextInt(10) + shift));
        }
        return scores;
    }

    private static double pairs(List<Double> inside, List<Double> outside) {
        double above = 0;
        for (double in : inside) {
            for (double out : outside) {
                above += in > out ? 1 : in == out ? 0.5 : 0;
            }
        }
        return above / inside.size() / outside.size();
    }
}
