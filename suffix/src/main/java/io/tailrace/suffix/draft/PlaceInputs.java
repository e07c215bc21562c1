package io.tailrace.suffix.draft;

/**
 * The inputs of one place's candidates, weighted. Most inputs are log-odds of shares of votes, and most candidates share in few of them:
 * what a candidate without any vote would have is summed once ({@code common}), and each candidate adds only what its own votes make
 * different, in ascending order of the inputs. Then come its scalars, weighted by the place's set and its own, in four sums that are added at
 * the end.
 */
final class PlaceInputs {
    private static final int COUNT_MASK = 0xff;

    private final float[] weight = new float[Features.COUNT];
    /** Input of a candidate without votes, and where the table's row for the input's total begins. */
    private final float[] voteless = new float[Features.VOTES];

    private final int[] row = new int[Features.VOTES];
    private float common;

    /** All weights: those that candidates choose are behind the others. */
    private float[] weights;

    /** Takes the place in hand, and the mean of two weight sets. */
    void open(Candidates candidates, int place, float[] allWeights, int setA, int setB) {
        weights = allWeights;
        common = 0;
        for (int poll = 0; poll < Features.POLLS; poll++) {
            long totals = candidates.totals[place * Features.POLLS + poll];
            for (int input = poll * Features.LEVELS; totals != 0; input++, totals >>>= Byte.SIZE) {
                int from = Features.row((int) totals & COUNT_MASK);
                float mean = (weights[setA + input] + weights[setB + input]) * 0.5f;
                row[input] = from;
                voteless[input] = Features.logOdds(from);
                weight[input] = mean;
                common += mean * voteless[input];
            }
        }
        for (int input = Features.VOTES; input < Features.COUNT; input++) {
            weight[input] = (weights[setA + input] + weights[setB + input]) * 0.5f;
        }
    }

    /** The weighted sum of a candidate's inputs. */
    float logOdds(Candidates candidates, int candidate) {
        float sum = common;
        int at = candidate * Features.POLLS;
        for (int poll = 0; poll < Features.POLLS; poll++) {
            long votes = candidates.votes[at + poll];
            for (int input = poll * Features.LEVELS; votes != 0; input++, votes >>>= Byte.SIZE) {
                sum += weight[input] * (Features.logOdds(row[input] + ((int) votes & COUNT_MASK)) - voteless[input]);
            }
        }
        return sum + ofScalars(candidates.scalars, candidate * Features.SCALARS, ownSet(candidates, candidate));
    }

    private float ofScalars(float[] scalars, int at, int own) {
        return (everyFourth(scalars, at, 0, own) + everyFourth(scalars, at, 1, own))
                + (everyFourth(scalars, at, 2, own) + everyFourth(scalars, at, 3, own));
    }

    /** The place's and the candidate's own weights; see {@link #everyFourth(float[], int, float[], int)}. */
    private float everyFourth(float[] scalars, int at, int i, int own) {
        int input = Features.VOTES + i;
        return 0f
                + scalars[at + i] * (weight[input] + weights[own + i])
                + scalars[at + i + 4] * (weight[input + 4] + weights[own + i + 4])
                + scalars[at + i + 8] * (weight[input + 8] + weights[own + i + 8])
                + scalars[at + i + 12] * (weight[input + 12] + weights[own + i + 12]);
    }

    /** A candidate's scalars times as many weights, in four sums that are added at the end. */
    static float weighted(float[] scalars, int at, float[] weights, int from) {
        return (everyFourth(scalars, at, weights, from) + everyFourth(scalars, at + 1, weights, from + 1))
                + (everyFourth(scalars, at + 2, weights, from + 2) + everyFourth(scalars, at + 3, weights, from + 3));
    }

    /** One of four sums over 16 scalars, written out: a loop of four rounds costs more than what it does. */
    private static float everyFourth(float[] scalars, int at, float[] weights, int from) {
        return 0f
                + scalars[at] * weights[from]
                + scalars[at + 4] * weights[from + 4]
                + scalars[at + 8] * weights[from + 8]
                + scalars[at + 12] * weights[from + 12];
    }

    /** Where the weights begin that a candidate chooses. */
    static int ownSet(Candidates candidates, int candidate) {
        return Mixer.PLACE_WEIGHTS + candidates.tokenSet[candidate] * Features.SCALARS;
    }
}
