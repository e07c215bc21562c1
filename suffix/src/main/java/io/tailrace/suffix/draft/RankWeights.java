package io.tailrace.suffix.draft;

import java.util.Arrays;

/**
 * What a token's rank in a row of the target's candidates is worth, beside what the occurrences' voters say of it. Twenty numbers, learned
 * online.
 *
 * <p><b>Idea.</b> All that may follow at a place competes for one unit of probability with "none of them". A token that has voters brings
 * the log-odds against none that the mixer gave it, times a slope, plus a weight for its rank in the row (or for not being in it, or for
 * there being no row). A token of the row without voters shares in what the voters leave over: a weight for its rank, plus a slope for how
 * much that is. So where the voters are sure the row changes little, and where they say nothing it is all there is.
 *
 * <p><b>Learning.</b> The true token at a verified place makes each of its candidates a labelled example: one step of the log-loss a place.
 *
 * <p>It begins between what a lane of greedy and one of sampled answers had learned, rounded; where no row is known the voters' say is left as
 * it is. Sums in single precision, in the order they are asked for: the same calls give the same numbers.
 */
final class RankWeights {
    /** Rank of a token with voters that is not in the row. */
    static final int OUTSIDE = TargetRows.CANDIDATES_MAX;

    /** Rank of a token with voters where there is no row. */
    static final int UNKNOWN = OUTSIDE + 1;

    private static final int UNVOTED = UNKNOWN + 1;
    private static final int SAID = UNVOTED + TargetRows.CANDIDATES_MAX;
    private static final int LEFT = SAID + 1;
    static final int COUNT = LEFT + 1;

    static final float LEARNING_RATE = 0.02f;
    static final float SLOPE_RATE = 0.004f;
    private static final float[] VOTED_AT_FIRST = {1, 0.5f, 0.3f, 0.1f, 0, 0, 0, 0, -0.3f, 0};
    private static final float[] UNVOTED_AT_FIRST = {-1, -1.8f, -2.3f, -2.7f, -3, -3.2f, -3.5f, -3.8f};

    private final float[] weights = new float[COUNT];
    private final float[] gradient = new float[COUNT];

    RankWeights() {
        System.arraycopy(VOTED_AT_FIRST, 0, weights, 0, VOTED_AT_FIRST.length);
        System.arraycopy(UNVOTED_AT_FIRST, 0, weights, UNVOTED, UNVOTED_AT_FIRST.length);
        weights[SAID] = 1;
    }

    /** Log-odds against none of a token with voters: {@code said} is what the mixer gave it. */
    float voted(float said, int rank) {
        return weights[SAID] * said + weights[rank];
    }

    /** Log-odds against none of a token of the row without voters: {@code left} is the share that voters leave over, less one. */
    float unvoted(float left, int rank) {
        return weights[LEFT] * left + weights[UNVOTED + rank];
    }

    /** Begins a step; then every candidate of a place is added. */
    void open() {
        Arrays.fill(gradient, 0);
    }

    /** Adds a token with voters: {@code error} is one if it came, less the probability it had. */
    void addVoted(float error, float said, int rank) {
        gradient[rank] += error;
        gradient[SAID] += error * said;
    }

    /** Adds a token of the row without voters. */
    void addUnvoted(float error, float left, int rank) {
        gradient[UNVOTED + rank] += error;
        gradient[LEFT] += error * left;
    }

    /** Takes the step. */
    void step() {
        for (int i = 0; i < SAID; i++) {
            weights[i] += LEARNING_RATE * gradient[i];
        }
        weights[SAID] += SLOPE_RATE * gradient[SAID];
        weights[LEFT] += SLOPE_RATE * gradient[LEFT];
    }

    /** A copy: by rank with voters, outside, unknown, by rank without voters, then the two slopes. */
    float[] copy() {
        return weights.clone();
    }
}
