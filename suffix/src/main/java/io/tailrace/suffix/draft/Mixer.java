package io.tailrace.suffix.draft;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Says how likely the candidates of a place are, from what the sources' voters say; learns online. Not thread-safe: one
 * owner.
 *
 * <p><b>Idea.</b> Mixing in the logistic domain as in the PAQ family of compressors (Mahoney, "Adaptive Weighing of Context
 * Models for Lossless Data Compression", 2005, section 3), with log-odds of vote shares for the predictions: a candidate's
 * log-odds against "none of them" are a weighted sum of its inputs, and the candidates of a place compete for one unit of
 * probability. Weights come from two sets, one chosen by the longest match at the place, one by how crowded it is; they are
 * averaged before the exponential, which halves the noise of each and lets either be specific. To them comes a correction from the
 * candidate's scalars, with weights that the candidate chooses: by whether the context has its token, who votes for it, and how rare it is.
 *
 * <p><b>Learning.</b> After verification the true next token at a place is known, so each candidate there, drafted or not,
 * is a labelled example: one gradient step of the log-loss for each set of the place on its own error, with the candidates' corrections as
 * they are, and one for each set that candidates choose on the error of all together. Each weight learns at its own rate
 * ({@link WeightSteps}).
 *
 * <p><b>Cost.</b> Most candidates have votes of one source or two. So the sum over all inputs is taken once for each place,
 * as if a candidate had no votes, and each candidate adds what its votes change ({@link PlaceInputs}).
 *
 * <p><b>Determinism.</b> Single-precision sums in a fixed order and a tabled exponential: the same inputs give the same
 * weights on every machine.
 */
public final class Mixer {
    /** Number of the feature layout; weights of another layout are not understood. */
    public static final int LAYOUT = 1;

    /** The weights that places choose; behind them those of the scalars that candidates choose. */
    static final int PLACE_WEIGHTS = (Features.LENGTH_SETS + Features.CROWD_SETS) * Features.COUNT;

    static final int WEIGHTS = PLACE_WEIGHTS + Features.TOKEN_SETS * Features.SCALARS;

    private static final float VOTE_WEIGHT = 0.15f;
    private static final float BIAS_WEIGHT = -0.3f;

    private final float[] weights;
    /** What the place in hand has in common. */
    private final PlaceInputs inputs = new PlaceInputs();

    /** Null until it learns: many only judge. */
    private PlaceLesson lesson;

    private float hurry = 1;

    private float[] odds = new float[64];
    /** Their logarithms: what the inputs sum to. */
    private float[] judged = new float[64];

    private Mixer(float[] weights) {
        this.weights = weights;
    }

    /**
     * A mixer with the product's default weights, trained on varied traffic, so that a cold lane starts well.
     *
     * @return a mixer of its own: what it learns stays with it
     */
    public static Mixer defaults() {
        return new Mixer(DefaultWeights.copy());
    }

    /**
     * A mixer that has learned nothing: every vote counts a little. For training, and for measuring what training gives.
     *
     * @return a mixer of its own
     */
    public static Mixer untrained() {
        float[] weights = new float[WEIGHTS];
        for (int set = 0; set < PLACE_WEIGHTS; set += Features.COUNT) {
            for (int feature = 0; feature < Features.VOTES; feature++) {
                weights[set + feature] = VOTE_WEIGHT;
            }
            weights[set + Features.VOTES + Features.BIAS] = BIAS_WEIGHT;
        }
        return new Mixer(weights);
    }

    /**
     * A mixer with given weights.
     *
     * @param weights of a mixer
     * @return a mixer of its own
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

    /**
     * A copy of the weights as they stand now.
     *
     * @return numbers of layout {@link #LAYOUT}
     */
    public float[] weights() {
        return weights.clone();
    }

    /**
     * Takes over other weights of this layout. Each goes on at the rate that it has, for that says how this traffic moves it.
     *
     * @param others what is taken over
     */
    public void set(float[] others) {
        if (others.length != weights.length) {
            throw new IllegalArgumentException(
                    String.format("weights must be %d numbers, got %d", weights.length, others.length));
        }
        System.arraycopy(others, 0, weights, 0, weights.length);
    }

    /**
     * All that was learned: the weights, and behind them what their rates go by.
     *
     * @return a copy, for {@link #resume}
     */
    public float[] learned() {
        return lesson().steps().learned();
    }

    /**
     * Goes on as the mixer that had learned this.
     *
     * @param learned what {@link #learned} said; of another layout it changes nothing
     */
    public void resume(float[] learned) {
        lesson().steps().resume(learned);
    }

    /**
     * The weights in what was learned.
     *
     * @param learned what {@link #learned} said
     * @return numbers of that mixer's layout
     */
    public static float[] weightsOf(float[] learned) {
        return Arrays.copyOf(learned, learned.length / 2);
    }

    /**
     * Learns so many times as fast as usual from now on.
     *
     * @param times 1: the usual pace
     */
    public void hurry(float times) {
        hurry = times;
    }

    /**
     * Writes the path probability of each candidate of a place that the draft reaches with {@code pathProbability}; returns the share
     * that they leave over for none of them.
     */
    float judge(Candidates candidates, int place, float pathProbability) {
        inputs.open(candidates, place, weights, byLength(candidates, place), byCrowd(candidates, place));
        float sum = sumOdds(candidates, place);
        int first = candidates.first[place];
        for (int candidate = first; candidate < candidates.end[place]; candidate++) {
            candidates.probability[candidate] = pathProbability * (odds[candidate - first] / sum);
        }
        return 1 / sum;
    }

    /** Log-odds against none of them of a candidate of the place judged last, the first is 0. */
    float judged(int candidate) {
        return judged[candidate];
    }

    /** One step for each of the place's two sets, and for those that its candidates choose, towards what happened: the token {@code truth} came. */
    void learn(Candidates candidates, int place, int truth) {
        lesson().steps().hurry(hurry);
        lesson.learn(candidates, place, truth, byLength(candidates, place), byCrowd(candidates, place));
    }

    private PlaceLesson lesson() {
        if (lesson == null) {
            lesson = new PlaceLesson(weights);
        }
        return lesson;
    }

    /** Fills {@code odds}; returns one, for none of them, plus their sum. */
    private float sumOdds(Candidates candidates, int place) {
        int first = candidates.first[place];
        int end = candidates.end[place];
        ensureOdds(end - first);
        float sum = 1;
        for (int candidate = first; candidate < end; candidate++) {
            float logOdds = inputs.logOdds(candidates, candidate);
            float odd = Features.exponential(logOdds);
            judged[candidate - first] = logOdds;
            odds[candidate - first] = odd;
            sum += odd;
        }
        return sum;
    }

    private static int byLength(Candidates candidates, int place) {
        return candidates.lengthSet(place) * Features.COUNT;
    }

    private static int byCrowd(Candidates candidates, int place) {
        return (Features.LENGTH_SETS + candidates.crowdSet(place)) * Features.COUNT;
    }

    private void ensureOdds(int count) {
        if (odds.length < count) {
            odds = new float[Math.max(count, 2 * odds.length)];
            judged = new float[odds.length];
        }
    }

    /**
     * The trained weights that ship with the product: a text resource, one number a line, set after set, inputs in their order.
     * Read once.
     */
    private static final class DefaultWeights {
        static final String RESOURCE = "mixer-weights-layout-" + Mixer.LAYOUT + ".txt";

        private static final float[] WEIGHTS = read();

        private DefaultWeights() {}

        static float[] copy() {
            return WEIGHTS.clone();
        }

        private static float[] read() {
            try (InputStream in = DefaultWeights.class.getResourceAsStream(RESOURCE)) {
                if (in == null) {
                    throw new IllegalStateException("resource " + RESOURCE + " must be beside this class, found none");
                }
                return parse(new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static float[] parse(BufferedReader lines) throws IOException {
            float[] weights = new float[Mixer.WEIGHTS];
            int count = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine(), count++) {
                if (count < weights.length) {
                    weights[count] = Float.parseFloat(line);
                }
            }
            if (count != weights.length) {
                throw new IllegalStateException(String.format(
                        Locale.ROOT,
                        "resource %s must hold %d weights, holds %d; train it again for this layout",
                        RESOURCE,
                        weights.length,
                        count));
            }
            return weights;
        }
    }
}
