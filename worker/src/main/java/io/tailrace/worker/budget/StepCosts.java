package io.tailrace.worker.budget;

import java.util.Arrays;

/**
 * What a step costs, by batch and verified tokens, as measured here.
 *
 * <p><b>Idea.</b> For each batch size a row of cells over the number of tokens, geometrically spaced; a cell keeps a running mean
 * of the times seen and of where in the cell they lay. A question is answered by straight lines between the cells seen, made
 * monotone, since more tokens never cost less. Beyond the largest cell seen the line goes on; a row with one cell only is taken as flat:
 * optimistic, so that more is tried and then known. A batch that was never seen is read from the nearest one, and one
 * of which little is known borrows the price of further tokens from the nearest one that is known.
 *
 * <p><b>Pace.</b> Other work on the machine slows all steps alike, and sizes that pay are measured every moment while others are not: without
 * care, what is seldom tried keeps the price of a bad minute for ever. So cells hold times at the machine's usual pace, and a common
 * factor follows quickly how fast it is now. Both move in the logarithm and by the same measure, or they would drift apart and take
 * the seldom measured with them.
 *
 * <p><b>Robust.</b> A pause of the garbage collector, or another process, is no property of the model. A cell's first times are kept and
 * their median counts; what comes later moves it, and the pace, by a bounded amount (Huber's location): a time outside two thirds
 * to one and a half of the expected one, or half to twice where the cell was measured long ago, counts as if it were at that bound. The
 * weight is 1/n at first and never less than 1/128, or up to 1/4 where the last measurement is old, so costs may change.
 *
 * <p>Cost: a question looks at no more than {@value #CELLS} cells; 2 KiB a batch size. Nothing is allocated but a new batch size's row.
 */
public final class StepCosts {
    public static final int BATCH_MAX = 64;
    static final int CELLS = 48;
    private static final double WEIGHT_MIN = 1.0 / 128;
    private static final double WEIGHT_STALE = 1.0 / 4;
    private static final double STALE_STEPS = 1_024;
    private static final int TRUSTED = 4;
    /** So many first times of a cell are kept. */
    private static final int FIRST = 9;

    private static final double OUTLIER = Math.log(1.5);
    private static final double OUTLIER_STALE = Math.log(2);
    /** A row with fewer cells borrows the price of further tokens. */
    private static final int KNOWN_CELLS = 4;

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
        final double[][] first = new double[CELLS][];
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
        Row row = nearest(Math.min(batch, BATCH_MAX), 1);
        if (row == null) {
            return 0;
        }
        Row known = row.curveLength < KNOWN_CELLS ? nearest(Math.min(batch, BATCH_MAX), KNOWN_CELLS) : row;
        return pace * (known == null || known == row ? read(row, tokens) : alike(row, known, tokens));
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
        double since = Math.min(WEIGHT_STALE, (steps - row.measuredAt[cell]) / STALE_STEPS);
        double weight = Math.max(1.0 / seen, Math.max(WEIGHT_MIN, since));
        if (seen <= FIRST) {
            row.nanos[cell] = median(row, cell, nanos / pace);
        } else {
            double off = Math.log(nanos / pace / row.nanos[cell]);
            pace *= Math.exp(PACE_WEIGHT * within(OUTLIER, off));
            row.nanos[cell] *= Math.exp(weight * within(since < WEIGHT_STALE ? OUTLIER : OUTLIER_STALE, off));
        }
        row.tokens[cell] += weight * (tokens - row.tokens[cell]);
        row.measuredAt[cell] = steps;
        redraw(row);
    }

    private static double within(double bound, double value) {
        return Math.max(-bound, Math.min(bound, value));
    }

    /** The median, or the lower one of two, of a cell's first times with one more. */
    private static double median(Row row, int cell, double usual) {
        int count = row.samples[cell];
        double[] sorted = count == 1 ? new double[FIRST] : row.first[cell];
        row.first[cell] = sorted;
        int at = count - 1;
        for (; at > 0 && sorted[at - 1] > usual; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = usual;
        return sorted[(count - 1) / 2];
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

    private static double read(Row row, double tokens) {
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

    /** A row of which little is known: further tokens take as long as in a row that is known. */
    private static double alike(Row row, Row known, int tokens) {
        double further = Math.max(0, tokens - row.curveTokens[0]);
        return row.curveNanos[0] + read(known, known.curveTokens[0] + further) - known.curveNanos[0];
    }

    /** The row of this batch, or of the nearest, with so many cells; or null. */
    private Row nearest(int batch, int cellsMin) {
        for (int distance = 0; distance <= BATCH_MAX; distance++) {
            if (has(batch - distance, cellsMin)) {
                return rows[batch - distance];
            }
            if (has(batch + distance, cellsMin)) {
                return rows[batch + distance];
            }
        }
        return null;
    }

    private boolean has(int batch, int cellsMin) {
        return batch >= 0 && batch <= BATCH_MAX && rows[batch] != null && rows[batch].curveLength >= cellsMin;
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
