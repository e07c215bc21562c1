package io.tailrace.suffix.learn;

import java.util.Arrays;

/** What {@link RankEvidence} remembers of one sequence; plain fields, so that it can be checkpointed. */
public final class SequenceState {
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
