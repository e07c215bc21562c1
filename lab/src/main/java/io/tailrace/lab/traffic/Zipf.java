package io.tailrace.lab.traffic;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws ranks 0 to n - 1, rank r with a weight of 1 / (r + 1)^exponent: few things are common, most are rare. */
final class Zipf {
    private final double[] cumulative;

    Zipf(int n, double exponent) {
        if (n < 1) {
            throw new IllegalArgumentException("n must be at least 1, got " + n);
        }
        cumulative = new double[n];
        double sum = 0;
        for (int rank = 0; rank < n; rank++) {
            sum += Math.pow(rank + 1.0, -exponent);
            cumulative[rank] = sum;
        }
    }

    int draw(SplittableRandom random) {
        int found = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[cumulative.length - 1]);
        return Math.min(found < 0 ? -found - 1 : found, cumulative.length - 1);
    }
}
