package io.tailrace.client.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.cost.CostCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** How a worker's measurements and the fleet's curve meet. */
class AnnouncedCostsTest {
    private static final long SEED = 20_261_131L;
    private static final CostCurve STRAIGHT = Curves.of(tokens -> 500_000 + 25_000.0 * tokens);

    @Test
    void whereNothingIsMeasuredTheCurveIsBelievedAsItIs() {
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            CostCurve curve = Curves.random(random);
            StepCosts costs = new StepCosts();
            costs.announce(curve);
            int batch = 1 + random.nextInt(12);
            int tokens = batch + random.nextInt(60);
            assertThat(costs.nanos(batch, tokens))
                    .as("seed %d, round %d", SEED, round)
                    .isCloseTo(1_000 * curve.micros(batch, tokens), Percentage.withPercentage(1e-9));
            assertThat(costs.stepsSince(batch, tokens)).isEqualTo(Long.MAX_VALUE);
        }
    }

    /** Above 64 requests all batches are one. */
    @Test
    void aBatchLargerThanAnyThatIsToldApartIsComparedAsItIsAskedFor() {
        StepCosts costs = new StepCosts();
        costs.announce(CostCurve.of(List.of(
                new CostCurve.Point(64, 64, 1_000),
                new CostCurve.Point(64, 400, 2_000),
                new CostCurve.Point(200, 200, 5_000),
                new CostCurve.Point(200, 400, 6_000))));
        costs.add(200, 200, 3_000_000);
        assertThat(costs.nanos(200, 200)).isCloseTo(3_000_000, Percentage.withPercentage(1e-9));
    }

    private record Step(int batch, int tokens, long nanos) {
        static Step random(Random random) {
            int batch = 1 + random.nextInt(4);
            return new Step(
                    batch, batch + random.nextInt(20) * random.nextInt(3), 10_000L + random.nextInt(10_000_000));
        }
    }

    /** The lower middle one of what the steps took over what the curve says. */
    private static double level(List<Step> steps, CostCurve curve) {
        List<Double> ratios = steps.stream()
                .map(step -> step.nanos() / (1_000 * curve.micros(step.batch(), step.tokens())))
                .sorted()
                .toList();
        return ratios.isEmpty() ? 1 : ratios.get((ratios.size() - 1) / 2);
    }

    @Test
    void untilThirtyTwoStepsWereMeasuredTheCurveCountsAtThisMachinesLevelAndThenNoMore() {
        Random random = new Random(SEED);
        int believed = 0;
        for (int round = 0; round < 2_000; round++) {
            CostCurve curve = Curves.random(random);
            StepCosts costs = new StepCosts();
            StepCosts alone = new StepCosts();
            List<Step> steps = new ArrayList<>();
            int announcedAt = random.nextInt(40);
            int count = random.nextInt(50);
            for (int i = 0; i <= count; i++) {
                if (i == Math.min(announcedAt, count)) {
                    costs.announce(curve);
                }
                if (i < count) {
                    Step step = Step.random(random);
                    steps.add(step);
                    costs.add(step.batch(), step.tokens(), step.nanos());
                    alone.add(step.batch(), step.tokens(), step.nanos());
                }
            }
            believed += costs.foretold() ? 1 : 0;
            assertThat(costs.foretold()).isEqualTo(count < 32);
            for (int i = 0; i < 8; i++) {
                int batch = 1 + random.nextInt(6);
                int tokens = batch + random.nextInt(70);
                double expected = count < 32
                        ? level(steps, curve) * 1_000 * curve.micros(batch, tokens)
                        : alone.nanos(batch, tokens);
                assertThat(costs.nanos(batch, tokens))
                        .as("seed %d, round %d, %d steps, announced at %d", SEED, round, count, announcedAt)
                        .isCloseTo(expected, Percentage.withPercentage(1e-6));
            }
        }
        assertThat(believed).isBetween(1_000, 1_500);
    }

    @Test
    void moreTokensNeverCostLessWhateverWasMeasuredAndAnnounced() {
        Random random = new Random(SEED);
        for (int round = 0; round < 200; round++) {
            StepCosts costs = new StepCosts();
            for (int i = 0; i < 100; i++) {
                if (random.nextInt(20) == 0) {
                    costs.announce(Curves.random(random));
                }
                int batch = 1 + random.nextInt(3);
                costs.add(batch, batch + random.nextInt(80), 1 + random.nextInt(1_000_000));
            }
            for (int batch = 1; batch <= 4; batch++) {
                for (int tokens = batch + 1; tokens < 120; tokens++) {
                    assertThat(costs.nanos(batch, tokens))
                            .as("seed %d, round %d, batch %d, %d tokens", SEED, round, batch, tokens)
                            .isGreaterThanOrEqualTo((1 - 1e-12) * costs.nanos(batch, tokens - 1));
                }
            }
        }
    }

    /** A machine three times as slow as the fleet's: its first steps say so of all sizes and batches. */
    @Test
    void anotherMachinesPaceIsFoundFromTheFirstSteps() {
        StepCosts costs = new StepCosts();
        costs.announce(STRAIGHT);
        for (int i = 0; i < 4; i++) {
            costs.add(1, 1, 3 * 525_000);
        }
        for (int batch : new int[] {1, 3, 8}) {
            for (int tokens = batch; tokens <= 17 * batch; tokens++) {
                assertThat(costs.nanos(batch, tokens))
                        .as("batch %d, %d tokens", batch, tokens)
                        .isCloseTo(3 * (500_000 + 25_000.0 * tokens), Percentage.withPercentage(1));
            }
        }
    }

    @Test
    void theCurveWithMostPointsIsKeptAndTheLaterOfTwoThatHaveAsMany() {
        CostCurve small = CostCurve.of(List.of(new CostCurve.Point(1, 1, 1), new CostCurve.Point(1, 9, 90)));
        CostCurve later = CostCurve.of(List.of(new CostCurve.Point(1, 1, 2), new CostCurve.Point(1, 9, 3)));
        StepCosts costs = new StepCosts();
        costs.announce(small);
        costs.announce(CostCurve.UNKNOWN);
        assertThat(costs.nanos(1, 9)).isCloseTo(90_000, Percentage.withPercentage(1e-6));
        costs.announce(later);
        assertThat(costs.nanos(1, 9)).isCloseTo(3_000, Percentage.withPercentage(1e-6));
        costs.announce(STRAIGHT);
        costs.announce(small);
        assertThat(costs.nanos(1, 9)).isCloseTo(725_000, Percentage.withPercentage(1e-6));
    }
}
