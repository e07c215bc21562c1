package io.tailrace.client.budget;

/**
 * How often tokens were right that were said to be so likely: a draft's probabilities, set right by how they have held.
 *
 * <p>Tokens accepted by tokens expected, in {@value #CLASSES} classes of probability that are evenly spaced in the logarithm of the odds. Each begins
 * with a prior of {@value #PRIOR} expected tokens that were right, and fades with what is added to any: what a class was thought too unlikely for is
 * verified no more, and would be thought so for ever. One thread.
 */
final class Held {
    private static final int CLASSES = 17;
    private static final double ODDS_STEP = 0.5;
    private static final double PRIOR = 8;
    private static final double DECAY = 1 - 1.0 / 2_000;
    private static final double RATIO_MAX = 1.5;
    private static final double NEARLY = 1e-6;

    private final double[] expected = new double[CLASSES];
    private final double[] accepted = new double[CLASSES];

    /** A token that was thought so likely was verified. */
    void add(double probability, boolean right) {
        for (int i = 0; i < CLASSES; i++) {
            expected[i] *= DECAY;
            accepted[i] *= DECAY;
        }
        int of = of(probability);
        expected[of] += probability;
        accepted[of] += right ? 1 : 0;
    }

    /** How likely it is. */
    double probability(double claimed) {
        int of = of(claimed);
        return Math.min(1, claimed * Math.min(RATIO_MAX, (accepted[of] + PRIOR) / (expected[of] + PRIOR)));
    }

    private static int of(double probability) {
        double p = Math.max(NEARLY, Math.min(1 - NEARLY, probability));
        long step = Math.round(Math.log(p / (1 - p)) / ODDS_STEP) + CLASSES / 2;
        return (int) Math.max(0, Math.min(CLASSES - 1, step));
    }
}
