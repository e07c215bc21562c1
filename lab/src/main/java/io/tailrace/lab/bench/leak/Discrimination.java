package io.tailrace.lab.bench.leak;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How well a score tells two worlds apart: the probability that the score of one is above that of the other, equal ones counted half. That is
 * the area under the ROC curve (Hanley and McNeil 1982); 0.5 is guessing. The interval comes of drawing the scores of each world again, with
 * replacement; where no draw confuses the worlds it has no width.
 *
 * @param value area under the curve
 * @param low 2.5 % of the draws are below
 * @param high 2.5 % of the draws are above
 * @param guessError standard error of the area where scores tell nothing (Mann and Whitney 1947)
 */
record Discrimination(double value, double low, double high, double guessError) {
    /** So many rows are looked at that one or two stand outside of their intervals by chance. */
    static final double ERRORS = 3.5;

    private static final int DRAWS = 2_000;
    private static final double TAIL = 0.025;

    /**
     * Of two worlds' scores.
     *
     * @param inside of the world that should score higher, at least one
     * @param outside of the other, at least one
     */
    static Discrimination of(List<Double> inside, List<Double> outside, long seed) {
        double[] in = sorted(inside);
        double[] out = sorted(outside);
        SplittableRandom random = new SplittableRandom(seed);
        double[] draws = new double[DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            draws[draw] = area(drawn(in, random), drawn(out, random));
        }
        Arrays.sort(draws);
        int tail = (int) (TAIL * DRAWS);
        double guessError = Math.sqrt((in.length + out.length + 1) / (12.0 * in.length * out.length));
        return new Discrimination(area(in, out), draws[tail], draws[DRAWS - 1 - tail], guessError);
    }

    /** Whether it is no guessing: 1 in 2,000 by chance. */
    boolean tells() {
        return Math.abs(value - 0.5) > ERRORS * guessError;
    }

    private static double[] sorted(List<Double> scores) {
        if (scores.isEmpty()) {
            throw new IllegalArgumentException("a world must have at least 1 score, got 0");
        }
        return scores.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    private static double[] drawn(double[] scores, SplittableRandom random) {
        double[] again = new double[scores.length];
        for (int i = 0; i < again.length; i++) {
            again[i] = scores[random.nextInt(scores.length)];
        }
        Arrays.sort(again);
        return again;
    }

    /** Both are sorted. */
    private static double area(double[] in, double[] out) {
        double above = 0;
        int below = 0;
        int notAbove = 0;
        for (double score : in) {
            while (below < out.length && out[below] < score) {
                below++;
            }
            while (notAbove < out.length && out[notAbove] <= score) {
                notAbove++;
            }
            above += below + 0.5 * (notAbove - below);
        }
        return above / in.length / out.length;
    }
}
