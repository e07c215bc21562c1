package io.tailrace.worker.djl;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.model.Logits;

/** How near two rows of logits are: the largest difference, relative to the largest logit. */
final class Agreement {
    private Agreement() {}

    static void requireRow(double[] expected, Logits logits, int input, int node, double relativeMax) {
        float[] actual = new float[expected.length];
        logits.copy(input, node, actual);
        requireRow(expected, actual, relativeMax);
    }

    static void requireRow(double[] expected, float[] actual, double relativeMax) {
        assertThat(relativeDifference(expected, actual)).isLessThan(relativeMax);
    }

    static double relativeDifference(double[] expected, float[] actual) {
        double largest = 0;
        double difference = 0;
        for (int token = 0; token < expected.length; token++) {
            largest = Math.max(largest, Math.abs(expected[token]));
            difference = Math.max(difference, Math.abs(expected[token] - actual[token]));
            if (Float.isNaN(actual[token])) {
                return Double.POSITIVE_INFINITY;
            }
        }
        return difference / largest;
    }

    static double[] row(Logits logits, int input, int node, int vocabulary) {
        float[] row = new float[vocabulary];
        logits.copy(input, node, row);
        double[] wide = new double[vocabulary];
        for (int token = 0; token < vocabulary; token++) {
            wide[token] = row[token];
        }
        return wide;
    }
}
