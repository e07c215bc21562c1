package io.tailrace.lab.bench.engine;

import java.util.Arrays;
import java.util.List;

/**
 * How many times as fast one drafter was as another, as a logarithm that is known with an error.
 *
 * <p><b>Idea.</b> What a turn tells of the ratio is the same for all passes of a block, but for noise: the requests of a block are better for one
 * drafter than those of another. So blocks are the sample. The error is that of the jackknife (Efron 1982): how far the logarithm moves when a
 * block is left out. The interval is Student's, whose width makes up for the few blocks that the error itself is taken from. With two blocks it is
 * 6.3 errors wide to each side.
 *
 * @param value logarithm of the ratio
 * @param variance square of its standard error
 * @param freedom degrees of freedom that the variance has; 0: nothing is known of it
 */
record LogRatio(double value, double variance, int freedom) {
    /** The normal distribution's, above which are 5 %. */
    private static final double NORMAL = 1.644854;

    /** Student's with so many degrees of freedom, above which are 5 %; more follow from the normal distribution's. */
    private static final double[] STUDENT = {Double.NaN, 6.313752, 2.919986};

    /**
     * Of the times of two drafters.
     *
     * @param ours of each block
     * @param theirs of the same blocks
     */
    static LogRatio of(double[] ours, double[] theirs) {
        double our = Arrays.stream(ours).sum();
        double their = Arrays.stream(theirs).sum();
        int blocks = ours.length;
        double value = Math.log(their / our);
        if (blocks < 2) {
            return new LogRatio(value, 0, 0);
        }
        double[] without = new double[blocks];
        Arrays.setAll(without, block -> Math.log((their - theirs[block]) / (our - ours[block])));
        double mean = Arrays.stream(without).average().orElseThrow();
        double squares = Arrays.stream(without)
                .map(each -> (each - mean) * (each - mean))
                .sum();
        return new LogRatio(value, squares * (blocks - 1) / blocks, blocks - 1);
    }

    /**
     * The mean of several, of these and not of others like them. Its degrees of freedom are Welch's (1947) and Satterthwaite's (1946).
     *
     * @param of at least one
     */
    static LogRatio mean(List<LogRatio> of) {
        double value = of.stream().mapToDouble(LogRatio::value).average().orElseThrow();
        double variances = of.stream().mapToDouble(LogRatio::variance).sum();
        int least = of.stream().mapToInt(LogRatio::freedom).min().orElseThrow();
        if (least == 0 || variances == 0) {
            return new LogRatio(value, 0, least);
        }
        double squares = of.stream()
                .mapToDouble(each -> each.variance() * each.variance() / each.freedom())
                .sum();
        int freedom = Math.max(1, (int) (variances * variances / squares));
        return new LogRatio(value, variances / of.size() / of.size(), freedom);
    }

    /** As a ratio with its 90 % interval. */
    TurnTimes.Ratio ratio() {
        if (freedom == 0) {
            return new TurnTimes.Ratio(Math.exp(value), null, null);
        }
        double reach = student(freedom) * Math.sqrt(variance);
        return new TurnTimes.Ratio(Math.exp(value), Math.exp(value - reach), Math.exp(value + reach));
    }

    /** Above it are 5 % of Student's distribution: Fisher's expansion (Abramowitz and Stegun 26.7.5), which is off by 0.3 % at most. */
    static double student(int freedom) {
        if (freedom < STUDENT.length) {
            return STUDENT[freedom];
        }
        double z = NORMAL;
        double z2 = z * z;
        double first = z * (z2 + 1) / 4;
        double second = z * ((5 * z2 + 16) * z2 + 3) / 96;
        double third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
        return z + (first + (second + third / freedom) / freedom) / freedom;
    }
}
