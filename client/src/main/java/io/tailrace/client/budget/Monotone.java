package io.tailrace.client.budget;

import java.util.Arrays;

/** Makes a row of values monotone: neighbours that are out of order are pooled, by weight. Allocates nothing. */
final class Monotone {
    private final double[] weights;
    private final double[] means;
    private final double[] meanWeights;
    private final int[] blockEnds;

    Monotone(int valuesMax) {
        weights = new double[valuesMax];
        means = new double[valuesMax];
        meanWeights = new double[valuesMax];
        blockEnds = new int[valuesMax];
    }

    /** The weight of a value in the coming {@link #pool}. */
    void weigh(int value, double weight) {
        weights[value] = weight;
    }

    void pool(double[] values, int length) {
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
