package io.tailrace.client.budget;

import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.cost.Monotone;
import java.util.Arrays;

/**
 * What a step costs, by batch and verified tokens, as measured here and, until then, as the fleet's curve says.
 *
 * <p><b>Idea.</b> For each batch size up to {@value #BATCH_EXACT}, and for each quarter of an octave above, a row of cells over the number of draft tokens, geometrically spaced; a cell keeps a running mean
 * of the times seen and of where in the cell they lay. A question is answered by straight lines between the cells seen, made
 * monotone, since more tokens never cost less. Of two cells measured a few times each, one looks cheap by chance, and is chosen: so a cell is drawn
 * towards the straight line through its row, the less the more often it was measured, and the more the longer ago that was. Beyond the largest cell seen the line goes on; a row with one cell only is taken as flat:
 * optimistic, so that more is tried and then known. A batch that was never seen is read from the nearest one, and one
 * of which little is known borrows the price of further tokens from the nearest one that is known.
 *
 * <p><b>The fleet's curve</b> for this worker's class ({@link #announce}) was fitted to the same quantity: time of a whole step
 * without drafting, by batch and by tokens of all its requests. It is believed until {@value #OWN_STEPS} steps were measured here, at this
 * machine's level: times the median of what those took over what the curve says of them. Then only what was measured here counts, but for the price of further tokens where no batch is known yet. A curve
 * is made of others' steps, and of few where a lane is young: mixed with what is known here for longer it made a fleet slower
 * than an engine alone. Of several curves, lanes having one each, that with the most points is kept, and the later of two that have as many.
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
 * <p>Cost: a question looks at no more than {@value CostRow#CELLS} cells; 3 KiB a batch size. Nothing is allocated but a new batch size's row.
 */
final class StepCosts {
    /** Up to so many requests each batch size has a row of its own. */
    static final int BATCH_EXACT = 64;
    /** Batches of 4,096 and more have the last one. */
    private static final int ROWS = BATCH_EXACT + 1 + 4 * 6;
    /** After so many steps that were measured here nothing else is believed. */
    static final int OWN_STEPS = 32;

    private static final double WEIGHT_STALE = 1.0 / 4;
    static final double STALE_STEPS = 1_024;

    private static final double OUTLIER = Math.log(1.5);
    private static final double OUTLIER_STALE = Math.log(2);
    /** A row with fewer cells borrows the price of further tokens. */
    private static final int KNOWN_CELLS = 4;

    private static final double PACE_WEIGHT = 1.0 / 16;

    private final CostRow[] rows = new CostRow[ROWS];
    private final Monotone monotone = new Monotone(CostRow.CELLS);
    private CostCurve announced = CostCurve.UNKNOWN;
    /** Of the first steps measured here: requests, tokens and nanoseconds. */
    private final int[] firstBatches = new int[OWN_STEPS];

    private final int[] firstTokens = new int[OWN_STEPS];
    private final long[] firstNanos = new long[OWN_STEPS];
    private final double[] ratios = new double[OWN_STEPS];
    /** What they took over what the curve says of them. */
    private double level = 1;

    private double pace = 1;
    private long steps;
    /** The last of them that carried no draft tokens. */
    private long plainStep;

    /** Says what the fleet knows of steps on workers of this class. */
    public void announce(CostCurve curve) {
        if (steps < OWN_STEPS && curve != announced && curve.known() && curve.points() >= announced.points()) {
            announced = curve;
            compare();
        }
    }

    /** Whether any step was measured here. */
    public boolean measured() {
        return steps > 0;
    }

    /** Whether the fleet's curve is known and believed. */
    boolean foretold() {
        return announced.known() && steps < OWN_STEPS;
    }

    /** A step took so long. */
    public void add(int batch, int tokens, long nanos) {
        if (steps < OWN_STEPS) {
            firstBatches[(int) steps] = batch;
            firstTokens[(int) steps] = tokens;
            firstNanos[(int) steps] = nanos;
        }
        steps++;
        CostRow row = row(rowOf(batch));
        add(row, draftTokens(batch, tokens), nanos);
        row.draw(monotone, steps);
        plainStep = tokens == batch ? steps : plainStep;
        if (foretold()) {
            compare();
        }
    }

    private void compare() {
        int count = (int) steps;
        for (int i = 0; i < count; i++) {
            ratios[i] = firstNanos[i] / nanos(announced, firstBatches[i], firstTokens[i]);
        }
        Arrays.sort(ratios, 0, count);
        level = count == 0 ? 1 : ratios[(count - 1) / 2];
    }

    /** Expected time of a step; 0 if nothing was ever measured or announced. */
    public double nanos(int batch, int tokens) {
        return foretold() ? level * nanos(announced, batch, tokens) : pace * measured(batch, tokens);
    }

    /** How many steps ago one of this batch and about as many tokens was measured; no end of them while few were. */
    public long stepsSince(int batch, int tokens) {
        CostRow row = rows[rowOf(batch)];
        int cell = cell(draftTokens(batch, tokens));
        return row == null || row.samples(cell) < CostRow.TRUSTED ? Long.MAX_VALUE : steps - row.measuredAt(cell);
    }

    /** How many steps ago one without draft tokens was measured, of whatever batch. */
    long stepsSincePlain() {
        return steps - plainStep;
    }

    /** Whether one of about as many tokens was measured more than a few times. */
    boolean knows(int batch, int tokens) {
        return stepsSince(batch, tokens) < Long.MAX_VALUE;
    }

    private void add(CostRow row, int draftTokens, long nanos) {
        int cell = cell(draftTokens);
        double since = Math.min(WEIGHT_STALE, (steps - row.measuredAt(cell)) / STALE_STEPS);
        double weight = Math.max(1.0 / (row.samples(cell) + 1), Math.max(CostRow.WEIGHT_MIN, since));
        if (row.keepsFirst(cell)) {
            row.addFirst(cell, nanos / pace);
        } else {
            double off = Math.log(nanos / pace / row.nanos(cell));
            pace *= Math.exp(PACE_WEIGHT * within(OUTLIER, off));
            row.move(cell, Math.exp(weight * within(since < WEIGHT_STALE ? OUTLIER : OUTLIER_STALE, off)));
        }
        row.seen(cell, draftTokens, weight, steps);
    }

    private static double within(double bound, double value) {
        return Math.max(-bound, Math.min(bound, value));
    }

    private CostRow row(int index) {
        if (rows[index] == null) {
            rows[index] = new CostRow();
        }
        return rows[index];
    }

    private double measured(int batch, int tokens) {
        int index = nearest(rowOf(batch), 1);
        if (index < 0) {
            return 0;
        }
        CostRow row = rows[index];
        int draftTokens = tokens - (index == rowOf(batch) ? batch : batchOf(index));
        if (row.cells() >= KNOWN_CELLS) {
            return row.read(draftTokens);
        }
        double further = Math.max(0, draftTokens - row.firstDraftTokens());
        int known = nearest(rowOf(batch), KNOWN_CELLS);
        if (known >= 0) {
            CostRow other = rows[known];
            return row.firstNanos() + other.read(other.firstDraftTokens() + further) - other.firstNanos();
        }
        return announced.known() ? row.firstNanos() + announcedNanos(batch, further) : row.read(draftTokens);
    }

    /** What so many further tokens take by the curve, at this machine's level. */
    private double announcedNanos(int batch, double further) {
        int more = (int) Math.round(further);
        return level * (nanos(announced, batch, batch + more) - nanos(announced, batch, batch));
    }

    /** The row with so many cells whose batch is nearest to this one's, of two the smaller; -1: there is none. */
    private int nearest(int index, int cellsMin) {
        int below = index;
        while (below >= 0 && !has(below, cellsMin)) {
            below--;
        }
        int above = index;
        while (above < ROWS && !has(above, cellsMin)) {
            above++;
        }
        boolean takesAbove =
                above < ROWS && (below < 0 || batchOf(above) - batchOf(index) < batchOf(index) - batchOf(below));
        return takesAbove ? above : below;
    }

    private boolean has(int index, int cellsMin) {
        return rows[index] != null && rows[index].cells() >= cellsMin;
    }

    private static int draftTokens(int batch, int tokens) {
        return Math.max(0, tokens - batch);
    }

    /** Where a batch's times are kept. */
    static int rowOf(int batch) {
        if (batch <= BATCH_EXACT) {
            return batch;
        }
        int octave = 31 - Integer.numberOfLeadingZeros(batch);
        int quarter = (batch >>> (octave - 2)) & 3;
        return Math.min(ROWS - 1, BATCH_EXACT + 1 + 4 * (octave - 6) + quarter);
    }

    /** A batch in the middle of those of a row. */
    static int batchOf(int index) {
        if (index <= BATCH_EXACT) {
            return index;
        }
        int octave = 6 + (index - BATCH_EXACT - 1) / 4;
        int width = 1 << (octave - 2);
        return (4 + (index - BATCH_EXACT - 1) % 4) * width + width / 2;
    }

    /** What a curve says, at least a nanosecond. */
    static double nanos(CostCurve curve, int batch, int tokens) {
        return Math.max(1, 1_000 * curve.micros(batch, tokens));
    }

    /** Of so many draft tokens: none and 1 to 8 each alone, then four cells an octave. */
    static int cell(int draftTokens) {
        if (draftTokens <= 8) {
            return Math.max(0, draftTokens);
        }
        int octave = 31 - Integer.numberOfLeadingZeros(draftTokens);
        int quarter = (draftTokens >>> (octave - 2)) & 3;
        return Math.min(CostRow.CELLS - 1, 9 + (octave - 3) * 4 + quarter);
    }

    /** A number of draft tokens in the middle of a cell. */
    static int middle(int cell) {
        if (cell < 9) {
            return cell;
        }
        int octave = 3 + (cell - 9) / 4;
        int width = 1 << (octave - 2);
        return (4 + (cell - 9) % 4) * width + width / 2;
    }
}
