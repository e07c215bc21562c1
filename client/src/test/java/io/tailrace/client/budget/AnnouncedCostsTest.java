package io.tailrace.client.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.cost.CostCurve;
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

    @Test
    void theDullTwinMixesMeasurementsAndCurveAlike() {
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            CostCurve curve = Curves.random(random);
            StepCosts costs = new StepCosts();
            NaiveCosts naive = new NaiveCosts(curve);
            boolean late = random.nextBoolean();
            if (!late) {
                costs.announce(curve);
            }
            for (int i = random.nextInt(10); i > 0; i--) {
                int batch = 1 + random.nextInt(4);
                int tokens = batch + random.nextInt(20) * random.nextInt(3);
                long nanos = 10_000L + random.nextInt(10_000_000);
                costs.add(batch, tokens, nanos);
                naive.add(batch, tokens, nanos);
            }
            costs.announce(curve);
            for (int i = 0; i < 8; i++) {
                int batch = 1 + random.nextInt(6);
                int tokens = batch + random.nextInt(70);
                assertThat(costs.nanos(batch, tokens))
                        .as(
                                "seed %d, round %d, batch %d, %d tokens, announced late: %s",
                                SEED, round, batch, tokens, late)
                        .isCloseTo(naive.nanos(batch, tokens), Percentage.withPercentage(1e-6));
            }
        }
    }

    @Test
    void aSizeMeasuredFourTimesIsBelievedWhateverTheCurveSays() {
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            StepCosts costs = new StepCosts();
            costs.announce(Curves.random(random));
            int batch = 1 + random.nextInt(8);
            long plain = 1_000L + random.nextInt(10_000_000);
            long large = plain + random.nextInt(10_000_000);
            for (int i = 0; i < 4; i++) {
                costs.add(batch, batch, plain);
                costs.add(batch, 5 * batch, large);
            }
            assertThat(costs.nanos(batch, batch))
                    .as("seed %d, round %d", SEED, round)
                    .isCloseTo((double) plain, Percentage.withPercentage(3));
            assertThat(costs.nanos(batch, 5 * batch))
                    .as("seed %d, round %d", SEED, round)
                    .isCloseTo((double) large, Percentage.withPercentage(3));
        }
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

    @Test
    void withoutACurvePlainStepsAreWantedFirstWithOneSoon() {
        StepCosts costs = new StepCosts();
        assertThat(costs.plainStepsSince(1, 16)).isEqualTo(Long.MAX_VALUE);
        costs.announce(STRAIGHT);
        assertThat(costs.plainStepsSince(1, 16)).isZero();
        for (int i = 0; i < 16; i++) {
            costs.add(1, 17, 925_000);
        }
        assertThat(costs.plainStepsSince(1, 16)).isEqualTo(Long.MAX_VALUE);
        costs.add(1, 1, 525_000);
        assertThat(costs.plainStepsSince(1, 16)).isZero();
        assertThat(costs.plainStepsSince(2, 16)).isZero();
    }
}
