package io.tailrace.suffix.draft;

/**
 * Says how likely a candidate token is, from what the sources' voters say; learns online. Not thread-safe: one owner.
 *
 * <p><b>Idea.</b> Logistic mixing as in the PAQ family of compressors (Mahoney, "Adaptive Weighing of Context Models for
 * Lossless Data Compression", 2005, section 3; here with log-odds of vote shares instead of bit predictions): the
 * probability is the logistic function of a weighted sum of log-odds. Weights come from two sets, one chosen by the
 * longest match at the node, one by how crowded it is; their sums are averaged before the logistic function, which halves
 * the noise of each and lets either be specific.
 *
 * <p><b>Learning.</b> After verification the true next token at a node is known, so each candidate there, drafted or
 * not, is a labelled example: one gradient step of the log-loss for each set on its own error. A step costs two passes
 * over the inputs that are not zero.
 *
 * <p><b>Determinism.</b> Single-precision sums in ascending order of the inputs and a tabled logistic function: the same
 * inputs give the same weights on every machine.
 */
public final class Mixer {
    /** Number of the feature layout; weights of another layout are not understood. */
    public static final int LAYOUT = 1;

    static final int WEIGHTS = (Features.LENGTH_SETS + Features.CROWD_SETS) * Features.COUNT;
    static final float LEARNING_RATE = 0.005f;

    private static final float VOTE_WEIGHT = 0.15f;
    private static final float BIAS_WEIGHT = -0.3f;

    private final float[] weights;

    private Mixer(float[] weights) {
        this.weights = weights;
    }

    /** A mixer with the product's default weights. */
    public static Mixer defaults() {
        float[] weights = new float[WEIGHTS];
        for (int set = 0; set < WEIGHTS; set += Features.COUNT) {
            for (int feature = 0; feature < Features.VOTES; feature++) {
                weights[set + feature] = VOTE_WEIGHT;
            }
            weights[set + Features.BIAS] = BIAS_WEIGHT;
        }
        return new Mixer(weights);
    }

    /**
     * A mixer with given weights.
     *
     * @throws IllegalArgumentException if their number is not that of {@link #LAYOUT}, or one is not a finite number
     */
    public static Mixer of(float[] weights) {
        if (weights.length != WEIGHTS) {
            throw new IllegalArgumentException(String.format(
                    "weights of layout %d must be %d numbers, got %d; use the weights of a policy with this layout,"
                            + " or Mixer.defaults()",
                    LAYOUT, WEIGHTS, weights.length));
        }
        for (int i = 0; i < weights.length; i++) {
            if (!Float.isFinite(weights[i])) {
                throw new IllegalArgumentException(
                        String.format("weight %d must be finite, got %s; use Mixer.defaults()", i, weights[i]));
            }
        }
        return new Mixer(weights.clone());
    }

    /** A copy of the weights as they stand now. */
    public float[] weights() {
        return weights.clone();
    }

    /** Writes the mean of the two sets' weights for the inputs named by {@code features[from..from + count)}. */
    void blend(int lengthSet, int crowdSet, int[] features, int from, int count, float[] into) {
        int first = lengthSet * Features.COUNT;
        int second = (Features.LENGTH_SETS + crowdSet) * Features.COUNT;
        for (int i = 0; i < count; i++) {
            int feature = features[from + i];
            into[i] = (weights[first + feature] + weights[second + feature]) * 0.5f;
        }
    }

    /** One step for each of the two sets towards what happened. */
    void learn(
            int lengthSet,
            int crowdSet,
            int[] features,
            int from,
            int count,
            float[] values,
            int valuesFrom,
            boolean hit) {
        learn(lengthSet * Features.COUNT, features, from, count, values, valuesFrom, hit);
        learn((Features.LENGTH_SETS + crowdSet) * Features.COUNT, features, from, count, values, valuesFrom, hit);
    }

    private void learn(int set, int[] features, int from, int count, float[] values, int valuesFrom, boolean hit) {
        float sum = 0;
        for (int i = 0; i < count; i++) {
            sum += weights[set + features[from + i]] * values[valuesFrom + i];
        }
        float step = LEARNING_RATE * ((hit ? 1 : 0) - Logistic.of(sum));
        for (int i = 0; i < count; i++) {
            weights[set + features[from + i]] += step * values[valuesFrom + i];
        }
    }
}
