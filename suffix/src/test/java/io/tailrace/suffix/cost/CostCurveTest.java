package io.tailrace.suffix.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CostCurveTest {
    private static final long SEED = 20_261_129L;

    /** A manifest may say the same shape twice: between its two times the curve would rise without end, and nothing would ever be drafted. */
    @Test
    void ofSeveralPointsForOneShapeTheHighestCounts() {
        CostCurve curve = CostCurve.of(List.of(
                new CostCurve.Point(1, 1, 5_000),
                new CostCurve.Point(1, 2, 6_000),
                new CostCurve.Point(1, 2, 5_500),
                new CostCurve.Point(2, 2, 5_600)));
        assertThat(curve.points()).isEqualTo(3);
        assertThat(curve.micros(1, 2)).isEqualTo(6_000);
        assertThat(curve.micros(1, 17)).isEqualTo(21_000);
    }

    @Test
    void whateverThePointsAreTimesAreFiniteAndNeverFallWithTokens() {
        Random random = new Random(SEED);
        for (int round = 0; round < 5_000; round++) {
            List<CostCurve.Point> points = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                int batch = 1 + random.nextInt(4);
                points.add(new CostCurve.Point(batch, batch + random.nextInt(5), random.nextInt(1_000)));
            }
            CostCurve curve = CostCurve.of(points);
            for (int batch = 1; batch <= 5; batch++) {
                for (int tokens = batch; tokens < batch + 20; tokens++) {
                    assertThat(curve.micros(batch, tokens + 1))
                            .as("seed %d, round %d, %s", SEED, round, points)
                            .isFinite()
                            .isGreaterThanOrEqualTo(curve.micros(batch, tokens));
                }
            }
        }
    }
}
