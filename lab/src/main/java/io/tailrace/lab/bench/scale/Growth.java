package io.tailrace.lab.bench.scale;

import java.util.List;

/**
 * How a cost grows: the straight line, by least squares, through the logarithms of points. Cost is about proportional to size to the power of the
 * exponent: 0 where it stays the same, 1 where it is proportional.
 */
final class Growth {
    private Growth() {}

    /**
     * The exponent; null where fewer than two sizes have a cost above 0.
     *
     * @param sizes above 0
     * @param costs of each
     */
    static Double exponent(List<Double> sizes, List<Double> costs) {
        int count = 0;
        double sumX = 0;
        double sumY = 0;
        double sumXx = 0;
        double sumXy = 0;
        for (int i = 0; i < sizes.size(); i++) {
            if (costs.get(i) > 0) {
                double x = Math.log(sizes.get(i));
                double y = Math.log(costs.get(i));
                count++;
                sumX += x;
                sumY += y;
                sumXx += x * x;
                sumXy += x * y;
            }
        }
        double spread = count * sumXx - sumX * sumX;
        return spread <= 1e-9 ? null : (count * sumXy - sumX * sumY) / spread;
    }
}
