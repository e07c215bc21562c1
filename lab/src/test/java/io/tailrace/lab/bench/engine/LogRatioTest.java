package io.tailrace.lab.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogRatioTest {
    private static final double GAIN = 1.25;
    private static final int PASSES = 4;
    private static final int RUNS = 1_000;

    private final Random random = new Random(17);

    /**
     * Times of four drafters. Blocks are long and short for all of them and passes slow and fast; each block suits one drafter better or worse, and each turn has noise.
     */
    private LogRatio measured(int blocks, double noise) {
        TurnTimes times = new TurnTimes();
        for (int block = 0; block < blocks; block++) {
            double longer = lognormal(0.4);
            double suits = lognormal(0.1) * Math.exp(-0.1 * 0.1 / 2);
            for (int pass = 0; pass < PASSES; pass++) {
                double shared = 1e9 * longer * lognormal(0.2);
                times.add("code", block, pass, "none", shared * 2 * lognormal(noise));
                times.add("code", block, pass, "n-gram", shared * 1.5 * lognormal(noise));
                times.add("code", block, pass, "suffix", shared * lognormal(noise));
                times.add("code", block, pass, "tailrace", shared * suits / GAIN * lognormal(noise));
            }
        }
        return times.ratio("tailrace", "suffix");
    }

    private double lognormal(double sigma) {
        return Math.exp(sigma * random.nextGaussian());
    }

    @ParameterizedTest
    @CsvSource({"2,0.1", "2,0.2", "2,0.3", "6,0.1", "6,0.2", "6,0.3", "20,0.1", "20,0.3"})
    void nineIntervalsOfTenHoldTheRatio(int blocks, double noise) {
        int held = 0;
        for (int run = 0; run < RUNS; run++) {
            held += holds(measured(blocks, noise).ratio()) ? 1 : 0;
        }
        assertThat((double) held / RUNS).isBetween(0.85, 0.95);
    }

    @ParameterizedTest
    @CsvSource({"2", "6"})
    void theIntervalOfAMeanOverWorkloadsIsNoShorterThanItSays(int blocks) {
        int held = 0;
        for (int run = 0; run < RUNS; run++) {
            List<LogRatio> workloads = new ArrayList<>();
            for (int workload = 0; workload < 5; workload++) {
                workloads.add(measured(blocks, 0.1 + 0.05 * workload));
            }
            held += holds(LogRatio.mean(workloads).ratio()) ? 1 : 0;
        }
        assertThat((double) held / RUNS).isBetween(0.86, 0.98);
    }

    private static boolean holds(TurnTimes.Ratio ratio) {
        return ratio.low() <= GAIN && GAIN <= ratio.high();
    }

    @Test
    void oneBlockHasNoInterval() {
        TurnTimes.Ratio one = LogRatio.of(new double[] {2}, new double[] {3}).ratio();
        assertThat(one).isEqualTo(new TurnTimes.Ratio(one.value(), null, null));
        assertThat(one.value()).isCloseTo(1.5, within(1e-12));
        LogRatio two = LogRatio.of(new double[] {2, 3}, new double[] {3, 3});
        assertThat(LogRatio.mean(List.of(two, LogRatio.of(new double[] {2}, new double[] {3})))
                        .ratio()
                        .low())
                .isNull();
    }

    @Test
    void blocksThatAgreeMakeAnIntervalWithoutWidth() {
        LogRatio agree = LogRatio.of(new double[] {1, 2}, new double[] {2, 4});
        assertThat(LogRatio.mean(List.of(agree, agree)).ratio()).satisfies(ratio -> {
            assertThat(ratio.low()).isCloseTo(2, within(1e-12));
            assertThat(ratio.high()).isCloseTo(2, within(1e-12));
        });
    }

    @Test
    void studentsQuantilesAreThoseOfTheTables() {
        assertThat(LogRatio.student(1)).isCloseTo(6.314, within(0.001));
        assertThat(LogRatio.student(2)).isCloseTo(2.920, within(0.001));
        assertThat(LogRatio.student(3)).isCloseTo(2.353, within(0.008));
        assertThat(LogRatio.student(4)).isCloseTo(2.132, within(0.003));
        assertThat(LogRatio.student(5)).isCloseTo(2.015, within(0.001));
        assertThat(LogRatio.student(19)).isCloseTo(1.729, within(0.001));
    }
}
