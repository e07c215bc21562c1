package io.tailrace.suffix.cost;

import java.util.Arrays;

/**
 * Makes a row of values monotone, as the weighted least-squares answer has it: neighbours that are out of order are pooled (pool adjacent violators:
 * Ayer et al., 1955). Time in proportion to the row; {@link #pool} allocates nothing. One thread.
 */
public final class Monotone {
    private final double[] weights;
    private final double[] means;
    private final double[] meanWeights;
    private final int[] blockEnds;

    /** For rows of at most so many values. */
    public Monotone(int valuesMax) {
        weights = new double[valuesMax];
        means = new double[valuesMax];
        meanWeights = new double[valuesMax];
        blockEnds = new int[valuesMax];
    }

    /** The weight of a value in the coming {@link #pool}. */
    public void weigh(int value, double weight) {
        weights[value] = weight;
    }

    /** Pools the first {@code length} values, in place; each of them was weighed. */
    public void pool(double[] values, int length) {
        int blocks = 0;
        for (int i = 0; i < length; i++) {
            means[blocks] = values[i];
            meanWeights[blocks] = weights[i];
            blockEnds[blocks] = i + 1;
            while (blocks > 0 && means[blocks - 1] > means[blocks]) {
                double sum = meanWeights[blocks - 1] + meanWeights[blocks];
                means[blocks - 1] =
                        (means[blocks - 1] * meanWeights[blocks - 1] + means[blocks] * meanWeights[blocks]) / sum;
                meanWeights[blocks - 1] = sum;
                blockEnds[blocks - 1] = blockEnds[blocks];
                blocks--;
            }
            blocks++;
        }
        for (int block = 0, i = 0; block < blocks; block++) {
            Arrays.fill(values, i, blockEnds[block], means[block]);
            i = blockEnds[block];
        }
    }
}
