package io.tailrace.client.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class StepCostsTest {
    private static final long SEED = 20_261_122L;

    @Test
    void nothingMeasuredCostsNothingAndIsOldestOfAll() {
        StepCosts costs = new StepCosts();
        assertThat(costs.nanos(1, 5)).isZero();
        assertThat(costs.stepsSince(1, 5)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void moreTokensNeverCostLessWhateverWasMeasured() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            StepCosts costs = new StepCosts();
            for (int i = 0; i < 300; i++) {
                costs.add(1 + random.nextInt(3), 1 + random.nextInt(80), 1 + random.nextInt(1_000_000));
            }
            for (int batch = 1; batch <= 4; batch++) {
                for (int tokens = 2; tokens < 120; tokens++) {
                    assertThat(costs.nanos(batch, tokens))
                            .as("seed %d, batch %d, %d tokens", seed, batch, tokens)
                            .isGreaterThanOrEqualTo((1 - 1e-12) * costs.nanos(batch, tokens - 1));
                }
            }
        }
    }

    @Test
    void betweenMeasuredSizesItIsLinearAndABatchNeverSeenIsReadFromTheNearest() {
        StepCosts costs = new StepCosts();
        for (int i = 0; i < 10; i++) {
            costs.add(2, 2, 1_000);
            costs.add(2, 6, 2_000);
        }
        assertThat(costs.nanos(2, 4)).isCloseTo(1_500, Percentage.withPercentage(0.1));
        assertThat(costs.nanos(2, 10)).isCloseTo(3_000, Percentage.withPercentage(0.1));
        assertThat(costs.nanos(3, 4)).isEqualTo(costs.nanos(2, 4));
    }

    /** Four cells and more, or a row would borrow from another. */
    @Test
    void theDullTwinDrawsTheSameCurve() {
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            StepCosts costs = new StepCosts();
            NaiveCosts naive = new NaiveCosts();
            int batch = 1 + random.nextInt(20);
            long row = random.nextInt(1_000_000);
            for (int cell = 0; cell < 4 + random.nextInt(10); cell++) {
                int draftTokens = cell * (1 + random.nextInt(3));
                for (int i = random.nextInt(2); i < 4; i++) {
                    long nanos = 10_000L + row * draftTokens + random.nextInt(2_000_000);
                    if (naive.samples(batch, batch + draftTokens) < 9) {
                        costs.add(batch, batch + draftTokens, nanos);
                        naive.add(batch, batch + draftTokens, nanos);
                    }
                }
            }
            for (int i = 0; i < 8; i++) {
                int tokens = batch + random.nextInt(50);
                assertThat(costs.nanos(batch, tokens))
                        .as("seed %d, round %d, batch %d, %d tokens", SEED, round, batch, tokens)
                        .isCloseTo(naive.nanos(batch, tokens), Percentage.withPercentage(1e-6));
            }
        }
    }

    /** One draft token among so many requests is dear or not: that decides. */
    @Test
    void aFewDraftTokensAreToldFromNoneInLargeBatchesToo() {
        for (int batch = 1; batch <= StepCosts.BATCH_EXACT; batch++) {
            StepCosts costs = new StepCosts();
            for (int i = 0; i < 200; i++) {
                for (int drafted = 0; drafted <= 4; drafted++) {
                    costs.add(batch, batch + drafted, 1_000_000 + 50_000L * drafted);
                }
            }
            assertThat(costs.nanos(batch, batch + 1) - costs.nanos(batch, batch))
                    .as("batch %d", batch)
                    .isCloseTo(50_000, Percentage.withPercentage(1));
        }
    }

    /** Batches come and go by single requests there, and a request is dearer than a draft token. */
    @Test
    void aRequestMoreIsNoDraftTokenInBatchesBeyondSixtyFour() {
        Random random = new Random(SEED);
        StepCosts costs = new StepCosts();
        for (int i = 0; i < 40_000; i++) {
            int batch = 60 + random.nextInt(240);
            int drafted = random.nextInt(3) * 16;
            costs.add(batch, batch + drafted, 1_000_000 + 50_000L * batch + 5_000L * drafted);
        }
        for (int batch = 60; batch < 300; batch++) {
            assertThat(costs.knows(batch, batch) && costs.knows(batch, batch + 16))
                    .as("batch %d", batch)
                    .isTrue();
            assertThat(costs.nanos(batch, batch + 32) - costs.nanos(batch, batch))
                    .as("seed %d, 32 draft tokens in a batch of %d", SEED, batch)
                    .isBetween(0.0, 8 * 32 * 5_000.0);
            assertThat(costs.nanos(batch, batch))
                    .as("a batch of %d", batch)
                    .isCloseTo(1_000_000 + 50_000.0 * batch, Percentage.withPercentage(15));
        }
    }

    @Test
    void aBatchNeverSeenIsReadFromTheOneWithTheNearestNumberOfRequests() {
        StepCosts costs = new StepCosts();
        for (int i = 0; i < 10; i++) {
            costs.add(50, 50, 1_000);
            costs.add(50, 90, 2_000);
            costs.add(600, 600, 9_000);
        }
        assertThat(costs.nanos(64, 70)).isCloseTo(1_500, Percentage.withPercentage(1));
        assertThat(costs.nanos(400, 400)).isCloseTo(9_000, Percentage.withPercentage(1));
    }

    @Test
    void rowsOfLargeBatchesAreAQuarterOfAnOctaveEach() {
        for (int batch = 1; batch < 5_000; batch++) {
            int row = StepCosts.rowOf(batch);
            assertThat(row - StepCosts.rowOf(batch - 1)).as("batch %d", batch).isBetween(0, 1);
            assertThat(StepCosts.rowOf(StepCosts.batchOf(row)))
                    .as("batch %d", batch)
                    .isEqualTo(row);
            assertThat((double) StepCosts.batchOf(row))
                    .as("batch %d", batch)
                    .isCloseTo(batch, Percentage.withPercentage(batch < 4_096 ? 13 : 40));
        }
    }

    /** Of many sizes measured a few times each some look cheap by chance, and would be chosen for it. */
    @Test
    void sizesMeasuredAFewTimesAreBelievedOnlyAsFarAsTheOthersBearThemOut() {
        Random random = new Random(SEED);
        double off = 0;
        for (int round = 0; round < 500; round++) {
            StepCosts costs = new StepCosts();
            for (int drafted = 0; drafted <= 8; drafted++) {
                for (int i = 0; i < 4; i++) {
                    double usual = 1_000_000 + 50_000.0 * drafted;
                    costs.add(4, 4 + drafted, Math.round(usual * Math.exp(0.15 * random.nextGaussian())));
                }
            }
            for (int drafted = 0; drafted <= 8; drafted++) {
                off += Math.abs(costs.nanos(4, 4 + drafted) - 1_000_000 - 50_000.0 * drafted);
            }
        }
        assertThat(off / 500 / 9)
                .as("nanoseconds off; medians of four alone: 71,464")
                .isLessThan(65_000);
    }

    @Test
    void stepsThatAreNoLineAreKnownOnceTheyWereMeasuredOften() {
        StepCosts costs = new StepCosts();
        for (int i = 0; i < 2_000; i++) {
            for (int drafted = 0; drafted <= 8; drafted++) {
                costs.add(4, 4 + drafted, drafted < 4 ? 1_000_000 : 2_000_000);
            }
        }
        assertThat(costs.nanos(4, 7)).isCloseTo(1_000_000, Percentage.withPercentage(2));
        assertThat(costs.nanos(4, 8)).isCloseTo(2_000_000, Percentage.withPercentage(2));
    }

    /** What is seldom tried does not keep the price of a bad minute, nor of a good one. */
    @Test
    void aSizeThatIsSeldomMeasuredFollowsThePaceOfTheOthers() {
        StepCosts costs = new StepCosts();
        for (int i = 0; i < 50; i++) {
            costs.add(1, 1, 2_000);
            costs.add(1, 8, 3_000);
        }
        for (int i = 0; i < 300; i++) {
            costs.add(1, 1, 1_000);
        }
        assertThat(costs.nanos(1, 1)).isCloseTo(1_000, Percentage.withPercentage(3));
        assertThat(costs.nanos(1, 8)).isBetween(1_400.0, 2_100.0);
    }

    @Test
    void aPauseAmongTheFirstTimesOfASizeDoesNotCount() {
        StepCosts costs = new StepCosts();
        for (int i = 0; i < 20; i++) {
            costs.add(8, 8, 1_000);
        }
        costs.add(8, 16, 12_000);
        costs.add(8, 16, 1_500);
        costs.add(8, 16, 1_500);
        assertThat(costs.nanos(8, 16)).isCloseTo(1_500, Percentage.withPercentage(1));
        costs.add(8, 16, 9_000);
        assertThat(costs.nanos(8, 16)).isCloseTo(1_500, Percentage.withPercentage(1));
    }

    @Test
    void aBatchOfWhichLittleIsKnownBorrowsThePriceOfFurtherTokensFromTheNearest() {
        StepCosts costs = new StepCosts();
        for (int i = 0; i < 10; i++) {
            for (int tokens = 8; tokens <= 40; tokens++) {
                costs.add(8, tokens, 1_000 + 50L * (tokens - 8));
            }
        }
        for (int i = 0; i < 10; i++) {
            costs.add(7, 7, 900);
        }
        assertThat(costs.nanos(7, 7)).isCloseTo(900, Percentage.withPercentage(2));
        assertThat(costs.nanos(7, 23)).isCloseTo(1_700, Percentage.withPercentage(5));
    }

    @Test
    void jitterAndPausesDoNotMoveSizesAgainstEachOther() {
        Random random = new Random(SEED);
        StepCosts costs = new StepCosts();
        for (int i = 0; i < 20_000; i++) {
            boolean seldom = random.nextInt(50) == 0;
            double noise = Math.exp(0.2 * random.nextGaussian()) * (random.nextInt(40) == 0 ? 4 : 1);
            costs.add(1, seldom ? 16 : 1, Math.round((seldom ? 2_000 : 1_000) * noise));
        }
        assertThat(costs.nanos(1, 16) / costs.nanos(1, 1))
                .as("seed %d", SEED)
                .isCloseTo(2, Percentage.withPercentage(15));
    }
}
