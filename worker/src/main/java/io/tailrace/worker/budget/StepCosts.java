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
 * <p><b>Pace.</b> Other work on the machine slows all steps alike, and sizes that pay are measured every moment while others are not: without
 * care, what is seldom tried keeps the price of a bad minute for ever. So cells hold times at the machine's usual pace, and a common
 * factor follows quickly how fast it is now.
 *
 * <p><b>Robust.</b> A time outside half to twice the expected one counts as if it were at that bound: a pause of the garbage
 * collector is no property of the model. The mean follows with a weight of 1/n at first and never less than 1/128, or 1/16
 * where the last measurement is old, so costs may change.
 *
 * <p>Cost: a question looks at no more than {@value #CELLS} cells; 2 KiB a batch size. Nothing is allocated but a new batch size's row.
 */
public final class StepCosts {
    public static final int BATCH_MAX = 64;
    static final int CELLS = 48;
    private static final double WEIGHT_MIN = 1.0 / 128;
    private static final double WEIGHT_STALE = 1.0 / 16;
    private static final double STALE_STEPS = 2_048;
    private static final int TRUSTED = 4;
    private static final double OUTLIER = 2;
    private static final double PACE_WEIGHT = 1.0 / 16;

    private final double[] weights = new double[CELLS];
    private final double[] means = new double[CELLS];
    private final double[] meanWeights = new double[CELLS];
    private final int[] blockEnds = new int[CELLS];
    private double pace = 1;
    private long steps;

    private final Row[] rows = new Row[BATCH_MAX + 1];

    private static final class Row {
        final int[] samples = new int[CELLS];
        final double[] tokens = new double[CELLS];
        final double[] nanos = new double[CELLS];
        final long[] measuredAt = new long[CELLS];
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
        steps++;
        add(rows[row], tokens, nanos);
    }

    /** Expected time of a step; 0 if nothing was ever measured. */
    public double nanos(int batch, int tokens) {
        Row row = nearest(Math.min(batch, BATCH_MAX));
        return row == null ? 0 : pace * read(row, tokens);
    }

    /** How many steps ago one of this batch and about as many tokens was measured; no end of them while few were. */
    public long stepsSince(int batch, int tokens) {
        Row row = rows[Math.min(batch, BATCH_MAX)];
        int cell = cell(tokens);
        return row == null || row.samples[cell] < TRUSTED ? Long.MAX_VALUE : steps - row.measuredAt[cell];
    }

    private void add(Row row, int tokens, long nanos) {
        int cell = cell(tokens);
        int seen = ++row.samples[cell];
        long since = steps - row.measuredAt[cell];
        double weight = Math.max(1.0 / seen, Math.max(WEIGHT_MIN, Math.min(WEIGHT_STALE, since / STALE_STEPS)));
        double usual = nanos / pace;
        if (seen > TRUSTED) {
            double ratio = Math.max(1 / OUTLIER, Math.min(OUTLIER, usual / row.nanos[cell]));
            pace *= 1 + PACE_WEIGHT * (ratio - 1);
            usual = ratio * row.nanos[cell];
        }
        row.nanos[cell] += weight * (usual - row.nanos[cell]);
        row.tokens[cell] += weight * (tokens - row.tokens[cell]);
        row.measuredAt[cell] = steps;
        redraw(row);
    }

    /** Pools neighbours that break monotony, weighted by what is known of them. */
    private void redraw(Row row) {
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
        pool(row.curveNanos, length);
    }

    private void pool(double[] values, int length) {
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
