package io.tailrace.suffix.learn;

import java.util.Arrays;

/**
 * Evidence that a sequence of numbers is no longer what it was, in either direction, without knowing its distribution.
 *
 * <p><b>Idea.</b> While the sequence is exchangeable, the rank of each new number among all before it is uniform and
 * independent of the earlier ranks, whatever the distribution (conformal prediction: Vovk et al., "Testing Exchangeability
 * On-Line", ICML 2003). A bet against that multiplies a stake by {@code e p^(e-1)} for the rank {@code p}, which has mean 1: stakes
 * grow only if ranks crowd at an end. Six bets run: on crowding at the top and at the bottom, each for three sharpnesses. Each is
 * collected as a Shiryaev-Roberts statistic, {@code R = (R + 1) * bet}, which asks for a change at any past moment: {@code R - n}
 * is a martingale while nothing changes.
 *
 * <p><b>Rate.</b> Hence the mean of such statistics reaches {@code c} within {@code n} numbers with a probability of at most
 * {@code n / c} (Doob), and the mean number of generations to a false alarm is at least {@code c} (see also Shin, Ramdas,
 * Rinaldo, "E-detectors", 2023).
 *
 * <p><b>Tolerance.</b> A number may creep without anybody wanting to hear of it, as log-loss does while an index grows. Then the
 * number is moved towards its past by the tolerance before it is ranked, on either side by itself: ranks of a sequence that
 * creeps by less are less extreme than uniform, and the bound holds.
 *
 * <p>Numbers are put into {@value #BINS} bins; ties are broken at random by a generator of its own, so the same numbers give the
 * same evidence. Cost: one pass over the bins a number.
 */
final class RankEvidence {
    static final int BINS = 1024;
    private static final double[] SHARPNESS = {0.15, 0.4, 0.7};
    /** Statistics of one sequence. */
    static final int BETS = 2 * SHARPNESS.length;

    private static final double RANK_MIN = 1e-9;

    private final double binWidth;
    private final int toleranceBins;

    /**
     * Evidence over numbers from 0.
     *
     * @param binWidth numbers closer than that are the same
     * @param tolerance creeping by less goes unheard
     */
    RankEvidence(double binWidth, double tolerance) {
        this.binWidth = binWidth;
        this.toleranceBins = (int) Math.round(tolerance / binWidth);
    }

    /** Takes a number in: ranks it among those before it, bets, and adds it to them. */
    void add(double number, State state) {
        int bin = (int) Math.max(0, Math.min(BINS - 1, number / binWidth));
        double draw = draw(state);
        double fromTop = rankFromTop(bin - toleranceBins, draw, state.counts);
        double fromBottom = 1 - rankFromTop(bin + toleranceBins, draw, state.counts);
        for (int i = 0; i < SHARPNESS.length; i++) {
            state.logEvidence[2 * i] = collect(state.logEvidence[2 * i], fromTop, SHARPNESS[i]);
            state.logEvidence[2 * i + 1] = collect(state.logEvidence[2 * i + 1], fromBottom, SHARPNESS[i]);
        }
        state.counts[bin]++;
    }

    /** Share of the numbers, this one among them, that are above it; ties are split by the draw. */
    private static double rankFromTop(int bin, double draw, int[] counts) {
        long above = 0;
        long all = 1;
        for (int i = 0; i < BINS; i++) {
            all += counts[i];
            above += i > bin ? counts[i] : 0;
        }
        long same = 1L + (bin >= 0 && bin < BINS ? counts[bin] : 0);
        return Math.min(1 - RANK_MIN, Math.max(RANK_MIN, (above + draw * same) / all));
    }

    /** {@code log((R + 1) * bet)} from {@code log R}. */
    private static double collect(double logBefore, double rank, double sharpness) {
        double logPlusOne = logBefore > 30 ? logBefore : Math.log1p(Math.exp(logBefore));
        return logPlusOne + Math.log(sharpness) + (sharpness - 1) * Math.log(rank);
    }

    /** SplitMix64: uniform in (0, 1). */
    private static double draw(State state) {
        state.draws += 0x9E3779B97F4A7C15L;
        long mixed = state.draws;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return ((mixed ^ mixed >>> 31) >>> 11) * 0x1.0p-53;
    }

    /** What {@link RankEvidence} remembers of one sequence; plain fields, so that it can be checkpointed. */
    public static final class State {
        /** How many numbers fell into each bin. */
        public int[] counts = new int[RankEvidence.BINS];
        /** Logarithm of each bet's Shiryaev-Roberts statistic. */
        public double[] logEvidence = fresh();
        /** State of the generator that breaks ties. */
        public long draws;
        /** Sum of the numbers since the reference was taken, and their count. */
        public double sum;

        public long numbers;
        /** Mean of the last ones, older ones fading. */
        public double recent;

        private static double[] fresh() {
            double[] none = new double[RankEvidence.BETS];
            Arrays.fill(none, Double.NEGATIVE_INFINITY);
            return none;
        }

        /** Forgets all but the generator's state and the recent mean. */
        void restart() {
            counts = new int[RankEvidence.BINS];
            logEvidence = fresh();
            sum = 0;
            numbers = 0;
        }

        void note(double number) {
            recent = numbers == 0 && recent == 0 ? number : recent + (number - recent) / DriftDetector.RECENT;
            sum += number;
            numbers++;
        }

        double mean() {
            return numbers == 0 ? 0 : sum / numbers;
        }
    }
}
