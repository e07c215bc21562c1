package io.tailrace.client.budget;

import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.cost.Monotone;
import io.tailrace.suffix.draft.DraftPolicy;
import java.util.Arrays;

/**
 * What is known of the steps of one batch size: a cell for each number of draft tokens, about; and what the fleet's curve foretells for the cells
 * that were hardly measured here. How the two meet is told at {@link StepCosts}. Times are in nanoseconds at the machine's usual pace.
 */
final class CostRow {
    static final int CELLS = 48;
    /** So many measurements make a cell known. */
    static final int TRUSTED = 4;
    /** So many first times of a cell are kept. */
    private static final int FIRST = 9;

    static final double WEIGHT_MIN = 1.0 / 128;
    /** So many measurements of a cell count as much as the straight line through all of its row. */
    private static final double LINE_SAMPLES = 8;
    /** What was not measured gives way wherever it breaks monotony. */
    private static final double WEIGHT_FORETOLD = 1e-9;

    private final int batch;
    private final long bornAt;
    private final int[] samples = new int[CELLS];
    private final double[] tokens = new double[CELLS];
    private final double[] nanos = new double[CELLS];
    private final long[] measuredAt = new long[CELLS];
    private final double[][] first = new double[CELLS][];
    /** Logarithm of what the curve says of a cell; no number: nothing. */
    private final double[] foretold = new double[CELLS];
    /** Logarithm of what was measured over what was foretold, summed over cells by weight. */
    private double ratioSum;

    private double ratioWeight;
    /** Known cells in ascending order, their times made monotone. */
    private final double[] curveTokens = new double[CELLS];

    private final double[] curveNanos = new double[CELLS];
    /** How often each was measured, counted for less the longer ago that was. */
    private final double[] curveSamples = new double[CELLS];

    private final double[] ratios = new double[CELLS];
    private int curveLength;
    private long drawnFor = -1;
    private boolean measured;

    /**
     * A row of which nothing was measured.
     *
     * @param batch its batch size
     * @param step number of the step
     */
    CostRow(int batch, long step) {
        this.batch = batch;
        this.bornAt = step;
        Arrays.fill(foretold, Double.NaN);
    }

    /** Where a step of so many tokens belongs. */
    int cell(int tokensNow) {
        return StepCosts.cell(tokensNow - batch);
    }

    boolean measured() {
        return measured;
    }

    int cells() {
        return curveLength;
    }

    double firstTokens() {
        return curveTokens[0];
    }

    double firstNanos() {
        return curveNanos[0];
    }

    double ratioSum() {
        return ratioSum;
    }

    double ratioWeight() {
        return ratioWeight;
    }

    int samples(int cell) {
        return samples[cell];
    }

    /** The step at which the cell was measured last; 0: never. */
    long measuredAt(int cell) {
        return measuredAt[cell];
    }

    /** The step at which the cell was measured last, or the row made. */
    long lookedAt(int cell) {
        return Math.max(bornAt, measuredAt[cell]);
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
        measured = true;
    }

    /** A later time: it moves the cell by a factor. */
    void move(int cell, double factor) {
        samples[cell]++;
        nanos[cell] *= factor;
    }

    /** Where in the cell its times lie. */
    void seen(int cell, int tokensNow, double weight, long step) {
        tokens[cell] += weight * (tokensNow - tokens[cell]);
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

    /** Takes over what a curve says, of all cells that a step of this batch can reach or was measured in. */
    void foretell(CostCurve curve) {
        int last = StepCosts.cell(batch * DraftPolicy.BUDGET_MAX);
        for (int cell = 0; cell < CELLS; cell++) {
            if (cell <= last || samples[cell] > 0) {
                foretell(curve, cell);
            }
        }
        compare();
    }

    /** The same for one cell, which was measured. */
    void foretellMeasured(CostCurve curve, int cell) {
        foretell(curve, cell);
        compare();
    }

    private void foretell(CostCurve curve, int cell) {
        tokens[cell] = samples[cell] == 0 ? batch + StepCosts.middle(cell) : tokens[cell];
        int at = Math.max(batch, (int) Math.round(tokens[cell]));
        foretold[cell] = Math.log(StepCosts.nanos(curve, batch, at));
    }

    private void compare() {
        ratioSum = 0;
        ratioWeight = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            if (samples[cell] > 0 && !Double.isNaN(foretold[cell])) {
                double weight = Math.min(samples[cell], FIRST);
                ratioSum += weight * (Math.log(nanos[cell]) - foretold[cell]);
                ratioWeight += weight;
            }
        }
    }

    /**
     * Draws the curve of what was measured, and between and beyond it of what is foretold, unless it is drawn already.
     *
     * @param scale logarithm of what all measured cells took over what was foretold
     * @param change number of the last change of anything
     * @param step number of the step
     */
    void draw(double scale, Monotone monotone, long change, long step) {
        if (drawnFor == change) {
            return;
        }
        drawnFor = change;
        relate(scale);
        int length = 0;
        boolean anyForetold = false;
        for (int cell = 0; cell < CELLS; cell++) {
            boolean isForetold = !Double.isNaN(foretold[cell]);
            if (samples[cell] > 0 || isForetold) {
                curveTokens[length] = tokens[cell];
                curveNanos[length] =
                        isForetold && samples[cell] < TRUSTED ? Math.exp(foretold[cell] + ratios[cell]) : nanos[cell];
                curveSamples[length] = samples[cell] / (1 + (step - measuredAt[cell]) / StepCosts.STALE_STEPS);
                monotone.weigh(
                        length++, samples[cell] == 0 ? WEIGHT_FORETOLD : Math.min(samples[cell], 1 / WEIGHT_MIN));
                anyForetold |= isForetold;
            }
        }
        curveLength = length;
        if (!anyForetold) {
            straighten();
        }
        monotone.pool(curveNanos, length);
    }

    /** Draws each cell towards the straight line that fits all of them best, by how seldom it was measured, and how long ago. */
    private void straighten() {
        double sum = 0;
        double meanTokens = 0;
        double meanNanos = 0;
        for (int i = 0; i < curveLength; i++) {
            double weight = Math.min(curveSamples[i], 1 / WEIGHT_MIN);
            sum += weight;
            meanTokens += weight / sum * (curveTokens[i] - meanTokens);
            meanNanos += weight / sum * (curveNanos[i] - meanNanos);
        }
        double squares = 0;
        double products = 0;
        for (int i = 0; i < curveLength; i++) {
            double off = Math.min(curveSamples[i], 1 / WEIGHT_MIN) * (curveTokens[i] - meanTokens);
            squares += off * (curveTokens[i] - meanTokens);
            products += off * (curveNanos[i] - meanNanos);
        }
        if (squares > 0) {
            double slope = Math.max(0, products / squares);
            for (int i = 0; i < curveLength; i++) {
                double line = meanNanos + slope * (curveTokens[i] - meanTokens);
                double own = curveSamples[i] / (curveSamples[i] + LINE_SAMPLES);
                curveNanos[i] = line + own * (curveNanos[i] - line);
            }
        }
    }

    /** By how much each foretold cell is off, in the logarithm: between measured cells in a straight line, beyond them as the outermost. */
    private void relate(double scale) {
        int before = -1;
        for (int cell = 0; cell < CELLS; cell++) {
            if (samples[cell] > 0 && !Double.isNaN(foretold[cell])) {
                double own = Math.min(1, (double) samples[cell] / TRUSTED);
                ratios[cell] = own * (Math.log(nanos[cell]) - foretold[cell]) + (1 - own) * scale;
                between(before, cell);
                before = cell;
            }
        }
        Arrays.fill(ratios, before + 1, CELLS, before < 0 ? scale : ratios[before]);
    }

    private void between(int left, int right) {
        for (int cell = left + 1; cell < right; cell++) {
            double share = left < 0 ? 1 : (double) (cell - left) / (right - left);
            ratios[cell] = left < 0 ? ratios[right] : ratios[left] + share * (ratios[right] - ratios[left]);
        }
    }

    /** Time of a step with so many tokens: straight lines, the outermost go on, and never less than the first. */
    double read(double wanted) {
        double[] x = curveTokens;
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
