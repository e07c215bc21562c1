package io.tailrace.lab.bench.scale;

import java.util.ArrayList;
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
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            if (costs.get(i) > 0) {
                x.add(Math.log(sizes.get(i)));
                y.add(Math.log(costs.get(i)));
            }
        }
        return perUnit(x, y);
    }

    /**
     * What one more costs: the slope of the straight line, by least squares; null where fewer than two sizes are known.
     *
     * @param costs of each size
     */
    static Double perUnit(List<Double> sizes, List<Double> costs) {
        double meanX = mean(sizes);
        double meanY = mean(costs);
        double spread = 0;
        double product = 0;
        for (int i = 0; i < sizes.size(); i++) {
            spread += (sizes.get(i) - meanX) * (sizes.get(i) - meanX);
            product += (sizes.get(i) - meanX) * (costs.get(i) - meanY);
        }
        return spread <= 1e-9 ? null : product / spread;
    }

    private static double mean(List<Double> of) {
        return of.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}
