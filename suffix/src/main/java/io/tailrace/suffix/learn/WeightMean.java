package io.tailrace.suffix.learn;

/**
 * The mean of mixer weights that were learned apart, each with as much say as it has evidence. The prior is one voice among
 * them, so that a few examples move little.
 */
public final class WeightMean {
    /** One replica's evidence counts up to this: one that lives long must not silence the others. */
    public static final long EVIDENCE_MAX = 200_000;

    private final double[] sums;
    private double evidence;

    /**
     * Begins with a prior.
     *
     * @param prior weights that are believed so far
     * @param priorEvidence how many labelled places they are worth
     */
    public WeightMean(float[] prior, long priorEvidence) {
        sums = new double[prior.length];
        add(prior, priorEvidence);
    }

    /** Adds weights learned from so many labelled places; weights of another length are of another layout and left out. */
    public void add(float[] weights, long places) {
        if (weights.length != sums.length || places <= 0) {
            return;
        }
        double say = Math.min(places, EVIDENCE_MAX);
        for (int i = 0; i < sums.length; i++) {
            sums[i] += say * weights[i];
        }
        evidence += say;
    }

    public float[] weights() {
        float[] mean = new float[sums.length];
        if (evidence > 0) {
            for (int i = 0; i < mean.length; i++) {
                mean[i] = (float) (sums[i] / evidence);
            }
        }
        return mean;
    }

    /** Root mean square of the difference of two weight vectors. */
    public static double distance(float[] one, float[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            double difference = one[i] - other[i];
            sum += difference * difference;
        }
        return Math.sqrt(sum / Math.max(1, one.length));
    }
}
