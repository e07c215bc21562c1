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
        float sum0 = 0;
        float sum1 = 0;
        float sum2 = 0;
        float sum3 = 0;
        for (int i = 0; i < Features.SCALARS; i += 4) {
            int input = Features.VOTES + i;
            sum0 += scalars[at + i] * (weight[input] + weights[own + i]);
            sum1 += scalars[at + i + 1] * (weight[input + 1] + weights[own + i + 1]);
            sum2 += scalars[at + i + 2] * (weight[input + 2] + weights[own + i + 2]);
            sum3 += scalars[at + i + 3] * (weight[input + 3] + weights[own + i + 3]);
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    /** A candidate's scalars times as many weights, in four sums that are added at the end. */
    static float weighted(float[] scalars, int at, float[] weights, int from) {
        float sum0 = 0;
        float sum1 = 0;
        float sum2 = 0;
        float sum3 = 0;
        for (int i = 0; i < Features.SCALARS; i += 4) {
            sum0 += scalars[at + i] * weights[from + i];
            sum1 += scalars[at + i + 1] * weights[from + i + 1];
            sum2 += scalars[at + i + 2] * weights[from + i + 2];
            sum3 += scalars[at + i + 3] * weights[from + i + 3];
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    /** Where the weights begin that a candidate chooses. */
    static int ownSet(Candidates candidates, int candidate) {
        return Mixer.PLACE_WEIGHTS + candidates.tokenSet[candidate] * Features.SCALARS;
    }
}
