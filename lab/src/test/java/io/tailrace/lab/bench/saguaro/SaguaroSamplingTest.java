package io.tailrace.lab.bench.saguaro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.testkit.Cases;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SaguaroSamplingTest {
    @Test
    void theLikeliestTokensAreScaledAndTheRestGrows() {
        double[] scaled = SaguaroTrade.Sampling.scaled(new double[] {0.5, 0.3, 0.2}, 1, 0.2);
        // 0.1, 0.3, 0.2 over 0.6
        assertThat(scaled).containsExactly(new double[] {1 / 6.0, 0.5, 1 / 3.0}, within(1e-12));
        assertThat(SaguaroTrade.Sampling.scaled(new double[] {0.5, 0.5}, 2, 0)).containsExactly(0.5, 0.5);
    }

    @Test
    void aHandWorkedResidual() {
        double[] p = {0.6, 0.3, 0.1};
        double[] q = {0.5, 0.1, 0.4};
        assertThat(SaguaroTrade.Sampling.acceptance(p, q)).isCloseTo(0.7, within(1e-12));
        assertThat(SaguaroTrade.Sampling.residual(p, q))
                .containsExactly(new double[] {1 / 3.0, 2 / 3.0, 0}, within(1e-12));
        assertThat(SaguaroTrade.Sampling.hitAfterRejection(p, q, new int[] {0})).isCloseTo(1 / 3.0, within(1e-12));
    }

    @Test
    void whatComesOutIsDistributedAsTheModelWhateverTheFactor() {
        Cases.forEachSeed(3000, seed -> {
            Random random = new Random(seed);
            int size = 1 + random.nextInt(8);
            double[] p = distribution(random, size);
            double[] drafted = SaguaroTrade.Sampling.scaled(
                    distribution(random, size), random.nextInt(size + 1), random.nextDouble());
            assertThat(Arrays.stream(drafted).sum()).isCloseTo(1, within(1e-9));
            double rejected = 1 - SaguaroTrade.Sampling.acceptance(p, drafted);
            double[] residual = SaguaroTrade.Sampling.residual(p, drafted);
            for (int token = 0; token < size; token++) {
                double accepted = drafted[token] == 0 ? 0 : drafted[token] * Math.min(1, p[token] / drafted[token]);
                assertThat(accepted + rejected * residual[token]).isCloseTo(p[token], within(1e-9));
            }
        });
    }

    @Test
    void theSmallerTheFactorTheOftenerTheCacheIsHitAfterARejection() {
        Cases.forEachSeed(3000, seed -> {
            Random random = new Random(seed);
            int size = 2 + random.nextInt(8);
            double[] p = distribution(random, size);
            double[] q = distribution(random, size);
            int top = 1 + random.nextInt(size - 1);
            int[] cached = SaguaroTrade.Sampling.likeliest(q, top);
            double before = -1;
            for (int quarters = 4; quarters >= 0; quarters--) {
                double[] drafted = SaguaroTrade.Sampling.scaled(q, top, quarters / 4.0);
                if (SaguaroTrade.Sampling.acceptance(p, drafted) < 1 - 1e-9) {
                    double hit = SaguaroTrade.Sampling.hitAfterRejection(p, drafted, cached);
                    assertThat(hit).isGreaterThanOrEqualTo(before - 1e-9);
                    before = hit;
                }
            }
        });
    }

    @Test
    void samplingItselfGivesTheModelsDistribution() {
        Random random = new Random(5);
        double[] p = {0.5, 0.2, 0.2, 0.1};
        double[] drafted = SaguaroTrade.Sampling.scaled(new double[] {0.4, 0.4, 0.1, 0.1}, 2, 0.3);
        double[] residual = SaguaroTrade.Sampling.residual(p, drafted);
        int[] counts = new int[4];
        int draws = 200_000;
        for (int i = 0; i < draws; i++) {
            int token = draw(drafted, random);
            boolean accepted = random.nextDouble() < p[token] / drafted[token];
            counts[accepted ? token : draw(residual, random)]++;
        }
        for (int token = 0; token < 4; token++) {
            assertThat(counts[token] / (double) draws).isCloseTo(p[token], within(0.005));
        }
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        assertThatThrownBy(() -> SaguaroTrade.Sampling.scaled(new double[] {1}, 1, 2))
                .hasMessageContaining("got 2.0");
        assertThatThrownBy(() -> SaguaroTrade.Sampling.scaled(new double[] {1}, 2, 1))
                .hasMessageContaining("[0, 1]");
    }

    private static int draw(double[] distribution, Random random) {
        double left = random.nextDouble();
        int token = 0;
        while (token < distribution.length - 1 && left >= distribution[token]) {
            left -= distribution[token++];
        }
        return token;
    }

    private static double[] distribution(Random random, int size) {
        double[] weights =
                random.doubles(size, 0, 1).map(weight -> weight * weight).toArray();
        double sum = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / sum).toArray();
    }
}
