package io.tailrace.worker.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Pearson's test of frequencies against probabilities, at a false-alarm rate of about 1 in 10,000. */
final class ChiSquare {
    /** Quantile of the normal distribution at 1 - 1e-4. */
    private static final double NORMAL_QUANTILE = 3.719;

    private ChiSquare() {}

    static void assertFits(int[] seen, List<DullSampler.Choice> expected, int draws) {
        double statistic = 0;
        double rareSeen = 0;
        double rareExpected = 0;
        int cells = 0;
        assertThat(expected.stream().mapToInt(choice -> seen[choice.token()]).sum())
                .as("nothing else is drawn")
                .isEqualTo(draws);
        for (DullSampler.Choice choice : expected) {
            double mean = choice.probability() * draws;
            if (mean < 5) {
                rareExpected += mean;
                rareSeen += seen[choice.token()];
            } else {
                statistic += square(seen[choice.token()] - mean) / mean;
                cells++;
            }
        }
        if (rareExpected > 0) {
            statistic += square(rareSeen - rareExpected) / Math.max(rareExpected, 1);
            cells++;
        }
        assertThat(statistic).as("chi-square over %d cells", cells).isLessThan(quantile(cells - 1));
    }

    /** Wilson and Hilferty's approximation. */
    private static double quantile(int degrees) {
        double nu = Math.max(1, degrees);
        return nu * Math.pow(1 - 2 / (9 * nu) + NORMAL_QUANTILE * Math.sqrt(2 / (9 * nu)), 3);
    }

    private static double square(double value) {
        return value * value;
    }
}
