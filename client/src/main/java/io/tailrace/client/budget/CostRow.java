package io.tailrace.client.budget;

import io.tailrace.suffix.cost.Monotone;

/** What was measured of the steps of one batch size, or of a few like ones: a cell for each number of draft tokens, about. Times are in nanoseconds at the machine's usual pace. */
final class CostRow {
    static final int CELLS = 48;
    /** So many measurements make a cell known. */
    static final int TRUSTED = 4;
    /** So many first times of a cell are kept. */
    private static final int FIRST = 9;

    static final double WEIGHT_MIN = 1.0 / 128;
    /** So many measurements of a cell count as much as the straight line through all of its row. */
    private static final double LINE_SAMPLES = 8;

    private final int[] samples = new int[CELLS];
    private final double[] draftTokens = new double[CELLS];
    private final double[] nanos = new double[CELLS];
    private final long[] measuredAt = new long[CELLS];
    private final double[][] first = new double[CELLS][];
    /** Known cells in ascending order, their times made monotone. */
    private final double[] curveDraftTokens = new double[CELLS];

    private final double[] curveNanos = new double[CELLS];
    /** How often each was measured, counted for less the longer ago that was. */
    private final double[] curveSamples = new double[CELLS];

    private int curveLength;

    int cells() {
        return curveLength;
    }

    double firstDraftTokens() {
        return curveDraftTokens[0];
    }

    double firstNanos() {
        return curveNanos[0];
    }

    int samples(int cell) {
        return samples[cell];
    }

    /** The step at which the cell was measured last; 0: never. */
    long measuredAt(int cell) {
        return measuredAt[cell];
    }

    /** What was measured of the cell. */
    double nanos(int cell) {
        return nanos[cell];
    }

    boolean keepsFirst(int cell) {
        return samples[cell] < FIRST;
    }

    /** One of the cell's first times. */
    void addFirst(int cell, double usualNanos) {
        samples[cell]++;
        nanos[cell] = median(cell, usualNanos);
    }

    /** A later time: it moves the cell by a factor. */
    void move(int cell, double factor) {
        samples[cell]++;
        nanos[cell] *= factor;
    }

    /** Where in the cell its times lie. */
    void seen(int cell, int draftTokensNow, double weight, long step) {
        draftTokens[cell] += weight * (draftTokensNow - draftTokens[cell]);
        measuredAt[cell] = step;
    }

    /** The median, or the lower one of two, of a cell's first times with one more. */
    private double median(int cell, double usual) {
        int count = samples[cell];
        double[] sorted = count == 1 ? new double[FIRST] : first[cell];
        first[cell] = sorted;
        int at = count - 1;
        for (; at > 0 && sorted[at - 1] > usual; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = usual;
        return sorted[(count - 1) / 2];
    }

    /**
     * Draws the curve of what was measured.
     *
     * @param step number of the step
     */
    void draw(Monotone monotone, long step) {
        int length = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            if (samples[cell] > 0) {
                curveDraftTokens[length] = draftTokens[cell];
                curveNanos[length] = nanos[cell];
                curveSamples[length] = samples[cell] / (1 + (step - measuredAt[cell]) / StepCosts.STALE_STEPS);
                monotone.weigh(length++, Math.min(samples[cell], 1 / WEIGHT_MIN));
            }
        }
        curveLength = length;
        straighten();
        monotone.pool(curveNanos, length);
    }

    /** Draws each cell towards the straight line that fits all of them best, by how seldom it was measured, and how long ago. */
    private void straighten() {
        double sum = 0;
        double meanDraftTokens = 0;
        double meanNanos = 0;
        for (int i = 0; i < curveLength; i++) {
            double weight = Math.min(curveSamples[i], 1 / WEIGHT_MIN);
            sum += weight;
            meanDraftTokens += weight / sum * (curveDraftTokens[i] - meanDraftTokens);
            meanNanos += weight / sum * (curveNanos[i] - meanNanos);
        }
        double squares = 0;
        double products = 0;
        for (int i = 0; i < curveLength; i++) {
            double off = Math.min(curveSamples[i], 1 / WEIGHT_MIN) * (curveDraftTokens[i] - meanDraftTokens);
            squares += off * (curveDraftTokens[i] - meanDraftTokens);
            products += off * (curveNanos[i] - meanNanos);
        }
        if (squares > 0) {
            double slope = Math.max(0, products / squares);
            for (int i = 0; i < curveLength; i++) {
                double line = meanNanos + slope * (curveDraftTokens[i] - meanDraftTokens);
                double own = curveSamples[i] / (curveSamples[i] + LINE_SAMPLES);
                curveNanos[i] = line + own * (curveNanos[i] - line);
            }
        }
    }

    /** Time of a step with so many draft tokens: straight lines, the outermost go on, and never less than the first. */
    double read(double wanted) {
        double[] x = curveDraftTokens;
        double[] y = curveNanos;
        int last = curveLength - 1;
        if (last == 0 || wanted <= x[0]) {
            return y[0];
        }
        if (wanted >= x[last]) {
            double slope = (y[last] - y[0]) / (x[last] - x[0]);
            return y[last] + slope * (wanted - x[last]);
        }
        int right = 1;
        while (x[right] < wanted) {
            right++;
        }
        double share = (wanted - x[right - 1]) / (x[right] - x[right - 1]);
        return y[right - 1] + share * (y[right] - y[right - 1]);
    }
}
