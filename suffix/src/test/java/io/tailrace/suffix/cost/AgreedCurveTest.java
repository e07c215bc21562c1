package io.tailrace.suffix.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgreedCurveTest {
    private static final long SEED = 20_261_124L;
    private static final int[] BATCHES = {1, 2, 4, 8};

    private final Random random = new Random(SEED);

    private static double truth(int batch, int tokens) {
        return 10_000 + 40 * batch * tokens;
    }

    private CostFit honest(int steps) {
        CostFit fit = new CostFit();
        for (int i = 0; i < steps; i++) {
            int batch = BATCHES[random.nextInt(4)];
            int tokens = batch + random.nextInt(17);
            fit.add(batch, tokens, 1, truth(batch, tokens) * Math.exp(0.05 * random.nextGaussian()));
        }
        return fit;
    }

    private List<CostFit> honest(int workers, int steps) {
        List<CostFit> fits = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            fits.add(honest(steps));
        }
        return fits;
    }

    /** Of every shape there is, and of every one that there is not, by far the most steps. */
    private static CostFit liar(double times) {
        CostFit fit = new CostFit();
        for (int batch = 1; batch <= 8; batch++) {
            for (int tokens = batch; tokens < batch + 24; tokens++) {
                fit.add(batch, tokens, 4_000, 4_000 * truth(batch, tokens) * times);
            }
        }
        return fit;
    }

    private static void assertTrue(List<CostFit> fits, double share) {
        CostCurve curve = CostCurve.of(AgreedCurve.points(fits));
        for (int batch : BATCHES) {
            for (int tokens = batch; tokens < batch + 17; tokens++) {
                double truth = truth(batch, tokens);
                assertThat(curve.micros(batch, tokens))
                        .as("batch %d, %d tokens, seed %d", batch, tokens, SEED)
                        .isCloseTo(truth, within(share * truth));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {100, 0.01, 1.5})
    void ofEightWorkersOneThatLiesMovesNothing(double times) {
        List<CostFit> fits = honest(7, 5_000);
        fits.add(liar(times));
        assertTrue(fits, 0.05);
    }

    @Test
    void whatOnlyTheLiarKnowsIsLeftOut() {
        List<CostFit> fits = honest(7, 5_000);
        List<CostCurve.Point> before = AgreedCurve.points(fits);
        CostFit liar = new CostFit();
        for (int tokens = 1; tokens < 500; tokens++) {
            liar.add(3, tokens, 4_000, 4_000 * 1e6);
        }
        fits.add(liar);
        assertThat(AgreedCurve.points(fits)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void fewWorkersHaveACurve(int workers) {
        assertTrue(honest(workers, 10_000), 0.06);
    }

    @Test
    void ofThreeWorkersOneThatLiesIsOutvoted() {
        List<CostFit> fits = honest(2, 10_000);
        fits.add(liar(100));
        assertTrue(fits, 0.08);
    }

    /** Else the third one's first step would leave three workers with one shape. */
    @Test
    void aNewcomerTakesNothingFromTheCurve() {
        List<CostFit> fits = honest(2, 5_000);
        List<CostCurve.Point> before = AgreedCurve.points(fits);
        CostFit third = new CostFit();
        third.add(1, 1, 5, 5 * truth(1, 1));
        fits.add(third);
        assertThat(AgreedCurve.points(fits)).isEqualTo(before);
    }

    /** Each request of a batch reports the step. */
    private static CostFit of(int batch, int steps) {
        CostFit fit = new CostFit();
        for (int step = 0; step < steps; step++) {
            for (int request = 0; request < batch; request++) {
                fit.add(batch, batch, 1, 1_000);
            }
        }
        return fit;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 64, 4_096})
    void aWorkerKnowsAShapeAfterEightStepsOfIt(int batch) {
        assertThat(AgreedCurve.points(List.of(of(batch, 8)))).hasSize(1);
        assertThat(AgreedCurve.points(List.of())).isEmpty();
        CostFit few = of(Math.min(batch, 64), 7);
        assertThat(AgreedCurve.points(List.of(few))).isEmpty();
        assertThat(AgreedCurve.points(List.of(few, few, few))).isEmpty();
    }

    /** An engine prepares for a shape when it first comes. */
    @Test
    void theFirstStepsOfAShapeMoveNothing() {
        CostFit fit = new CostFit();
        for (int step = 0; step < 8; step++) {
            fit.add(1, 1, 1, step < 3 ? 3_000 : 1_000);
        }
        assertThat(CostCurve.of(AgreedCurve.points(List.of(fit))).micros(1, 1)).isCloseTo(1_000, within(50.0));
    }
}
