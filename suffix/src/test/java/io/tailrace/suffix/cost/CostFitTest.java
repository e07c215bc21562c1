package io.tailrace.suffix.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CostFitTest {
    private static final long SEED = 20_261_125L;

    @Test
    void aNoisyCurveWithOutliersIsFoundWithinAFewPercent() {
        Random random = new Random(SEED);
        CostFit fit = new CostFit();
        for (int i = 0; i < 20_000; i++) {
            int batch = 1 << random.nextInt(4);
            int tokens = batch + random.nextInt(33);
            double micros = truth(batch, tokens) * Math.exp(0.05 * random.nextGaussian());
            micros = random.nextInt(20) == 0 ? micros * 40 : micros;
            fit.add(batch, tokens, 1, micros);
        }
        CostCurve curve = CostCurve.of(fit.points());
        for (int batch : new int[] {1, 2, 4, 8}) {
            for (int tokens = batch; tokens < batch + 33; tokens++) {
                double truth = truth(batch, tokens);
                assertThat(curve.micros(batch, tokens))
                        .as("batch %d, %d tokens, seed %d", batch, tokens, SEED)
                        .isCloseTo(truth, within(0.06 * truth));
            }
        }
    }

    private static double truth(int batch, int tokens) {
        return 10_000 + 40 * batch * tokens;
    }

    @Test
    void whateverIsReportedTheCurveNeverFalls() {
        Random random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            CostFit fit = new CostFit();
            for (int i = 0; i < 200; i++) {
                fit.add(
                        1 + random.nextInt(9),
                        1 + random.nextInt(20),
                        1 + random.nextInt(5),
                        random.nextDouble() * 1e6);
            }
            CostCurve curve = CostCurve.of(fit.points());
            for (int batch = 1; batch < 10; batch++) {
                for (int tokens = 1; tokens < 40; tokens++) {
                    assertThat(curve.micros(batch, tokens + 1))
                            .as("seed %d round %d", SEED, round)
                            .isGreaterThanOrEqualTo(curve.micros(batch, tokens));
                }
            }
        }
    }

    @Test
    void theCurveFollowsAMachineThatChanges() {
        CostFit fit = new CostFit();
        for (int i = 0; i < 10_000; i++) {
            fit.add(1, 1, 1, 1_000);
        }
        for (int i = 0; i < 5_000; i++) {
            fit.add(1, 1, 1, 3_000);
        }
        assertThat(CostCurve.of(fit.points()).micros(1, 1)).isCloseTo(3_000, within(150.0));
    }

    @Test
    void poolingAgreesWithTheDullTwin() {
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            List<double[]> values = new ArrayList<>();
            for (int i = 1 + random.nextInt(8); i > 0; i--) {
                values.add(new double[] {random.nextInt(10), 1 + random.nextInt(4)});
            }
            double[] expected = dull(values);
            AgreedCurve.isotonic(values);
            for (int i = 0; i < expected.length; i++) {
                assertThat(values.get(i)[0]).as("seed %d round %d", SEED, round).isCloseTo(expected[i], within(1e-9));
            }
        }
    }

    /** Minimax formula of isotonic regression. */
    private static double[] dull(List<double[]> values) {
        double[] fitted = new double[values.size()];
        for (int i = 0; i < fitted.length; i++) {
            double max = Double.NEGATIVE_INFINITY;
            for (int from = 0; from <= i; from++) {
                double min = Double.POSITIVE_INFINITY;
                for (int to = i; to < fitted.length; to++) {
                    min = Math.min(min, mean(values, from, to));
                }
                max = Math.max(max, min);
            }
            fitted[i] = max;
        }
        return fitted;
    }

    private static double mean(List<double[]> values, int from, int to) {
        double sum = 0;
        double weight = 0;
        for (int i = from; i <= to; i++) {
            sum += values.get(i)[0] * values.get(i)[1];
            weight += values.get(i)[1];
        }
        return sum / weight;
    }

    @Test
    void aShapeKeepsABoundedNumberOfBuckets() {
        CostFit fit = new CostFit();
        for (int i = 0; i < 100_000; i++) {
            fit.add(1, 4, 1, Math.exp(i % 1_600 / 100.0));
        }
        assertThat(fit.kept()).hasSize(1);
        assertThat(fit.kept().values().iterator().next().length).isLessThanOrEqualTo(2 * CostFit.BUCKETS_KEPT);
        assertThat(fit.points()).hasSize(1);
        for (int i = 0; i < 50_000; i++) {
            fit.add(1, 4, 1, 3e6);
        }
        assertThat(fit.points().get(0).micros()).as("the machine is slower now").isCloseTo(3e6, withinPercentage(5));
    }

    @Test
    void nonsenseIsLeftOutAndBadPointsAreRefused() {
        CostFit fit = new CostFit();
        fit.add(0, 1, 5, 10);
        fit.add(1, 0, 5, 10);
        fit.add(8, 7, 5, 10);
        fit.add(1, 1, 0, 10);
        fit.add(1, 1, 5, Double.NaN);
        assertThat(fit.points()).isEmpty();
        assertThat(CostCurve.of(fit.points()).known()).isFalse();
        assertThatThrownBy(() -> new CostCurve.Point(1, 1, -1)).hasMessageContaining("-1.0");
        assertThatThrownBy(() -> new CostCurve.Point(8, 7, 1)).hasMessageContaining("verifiedTokens >= batch");
    }

    @Test
    void stepsOfLargeBatchesKeepApartAndStayBounded() {
        CostFit fit = new CostFit();
        for (int batch = 1; batch <= 64; batch++) {
            for (int tokens = batch; tokens <= 65 * batch; tokens++) {
                fit.add(batch, tokens, 8 * batch, 8 * batch * (10_000 + 20.0 * tokens));
            }
        }
        CostCurve curve = CostCurve.of(fit.points());
        assertThat(curve.points()).isEqualTo(fit.kept().size()).isLessThan(CostFit.SHAPES_MAX);
        for (int batch : new int[] {1, 5, 8, 32, 64}) {
            for (int tokens = batch; tokens <= 65 * batch; tokens++) {
                double truth = 10_000 + 20 * tokens;
                assertThat(curve.micros(batch, tokens))
                        .as("batch %d, %d tokens", batch, tokens)
                        .isCloseTo(truth, within(0.06 * truth));
            }
        }
    }
}
