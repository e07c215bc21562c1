package io.tailrace.worker.budget;

import java.util.Arrays;

/**
 * What a step costs, by batch and verified tokens, as measured here.
 *
 * <p><b>Idea.</b> For each batch size a row of cells over the number of tokens, geometrically spaced; a cell keeps a running mean
 * of the times seen and of where in the cell they lay. A question is answered by straight lines between the cells seen, made
 * monotone, since more tokens never cost less. Beyond the largest cell seen the line goes on; a row with one cell only is taken as flat:
 * optimistic, so that more is tried and then known. A batch that was never seen is read from the nearest one.
 *
 * <p><b>Robust.</b> A time outside half to twice the mean moves it as if it were at that bound: a pause of the garbage
 * collector is no property of the model. The mean follows with a weight of 1/n at first and never less than 1/32, so costs may change.
 *
 * <p>Cost: a question looks at no more than {@value #CELLS} cells; 2 KiB a batch size.
 */
public final class StepCosts {
    public static final int BATCH_MAX = 64;
    static final int CELLS = 48;
    private static final double WEIGHT_MIN = 1.0 / 32;
    private static final int TRUSTED = 4;
    private static final double OUTLIER = 2;

    private final Row[] rows = new Row[BATCH_MAX + 1];

    private static final class Row {
        final int[] samples = new int[CELLS];
        final double[] tokens = new double[CELLS];
        final double[] nanos = new double[CELLS];
        /** Seen cells in ascending order, their times made monotone. */
        final double[] curveTokens = new double[CELLS];

        final double[] curveNanos = new double[CELLS];
        int curveLength;
    }

    /** A step took so long. */
    public void add(int batch, int tokens, long nanos) {
        int row = Math.min(batch, BATCH_MAX);
        if (rows[row] == null) {
            rows[row] = new Row();
        }
        add(rows[row], tokens, nanos);
    }

    /** True once a step of this batch was measured. */
    public boolean knows(int batch) {
        return rows[Math.min(batch, BATCH_MAX)] != null;
    }

    /** Expected time of a step; 0 if nothing was ever measured. */
    public double nanos(int batch, int tokens) {
        Row row = nearest(Math.min(batch, BATCH_MAX));
        return row == null ? 0 : read(row, tokens);
    }

    private static void add(Row row, int tokens, long nanos) {
        int cell = cell(tokens);
        int seen = ++row.samples[cell];
        double weight = Math.max(1.0 / seen, WEIGHT_MIN);
        double time = seen > TRUSTED ? clipped((double) nanos, row.nanos[cell]) : nanos;
        row.nanos[cell] += weight * (time - row.nanos[cell]);
        row.tokens[cell] += weight * (tokens - row.tokens[cell]);
        redraw(row);
    }

    private static double clipped(double nanos, double mean) {
        return Math.max(mean / OUTLIER, Math.min(mean * OUTLIER, nanos));
    }

    /** Pools neighbours that break monotony, weighted by what is known of them. */
    private static void redraw(Row row) {
        double[] weights = new double[CELLS];
        int length = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            if (row.samples[cell] == 0) {
                continue;
            }
            row.curveTokens[length] = row.tokens[cell];
            row.curveNanos[length] = row.nanos[cell];
            weights[length++] = Math.min(row.samples[cell], 1 / WEIGHT_MIN);
        }
        row.curveLength = length;
        pool(row.curveNanos, weights, length);
    }

    private static void pool(double[] values, double[] weights, int length) {
        int[] blockEnd = new int[length];
        double[] mean = new double[length];
        double[] weight = new double[length];
        int blocks = 0;
        for (int i = 0; i < length; i++) {
            mean[blocks] = values[i];
            weight[blocks] = weights[i];
            blockEnd[blocks] = i + 1;
            while (blocks > 0 && mean[blocks - 1] > mean[blocks]) {
                double sum = weight[blocks - 1] + weight[blocks];
                mean[blocks - 1] = (mean[blocks - 1] * weight[blocks - 1] + mean[blocks] * weight[blocks]) / sum;
                weight[blocks - 1] = sum;
                blockEnd[blocks - 1] = blockEnd[blocks];
                blocks--;
            }
            blocks++;
        }
        for (int block = 0, i = 0; block < blocks; block++) {
            Arrays.fill(values, i, blockEnd[block], mean[block]);
            i = blockEnd[block];
        }
    }

    private static double read(Row row, int tokens) {
        double[] x = row.curveTokens;
        double[] y = row.curveNanos;
        int last = row.curveLength - 1;
        if (last == 0) {
            return y[0];
        }
        if (tokens <= x[0]) {
            return y[0];
        }
        if (tokens >= x[last]) {
            double slope = (y[last] - y[0]) / (x[last] - x[0]);
            return y[last] + slope * (tokens - x[last]);
        }
        int right = 1;
        while (x[right] < tokens) {
            right++;
        }
        double share = (tokens - x[right - 1]) / (x[right] - x[right - 1]);
        return y[right - 1] + share * (y[right] - y[right - 1]);
    }

    private Row nearest(int batch) {
        for (int distance = 0; distance <= BATCH_MAX; distance++) {
            if (batch - distance >= 0 && rows[batch - distance] != null) {
                return rows[batch - distance];
            }
            if (batch + distance <= BATCH_MAX && rows[batch + distance] != null) {
                return rows[batch + distance];
            }
        }
        return null;
    }

    /** 1 to 8 each alone, then four cells an octave. */
    static int cell(int tokens) {
        if (tokens <= 8) {
            return Math.max(0, tokens - 1);
        }
        int octave = 31 - Integer.numberOfLeadingZeros(tokens);
        int quarter = (tokens >>> (octave - 2)) & 3;
        return Math.min(CELLS - 1, 8 + (octave - 3) * 4 + quarter);
    }
}
