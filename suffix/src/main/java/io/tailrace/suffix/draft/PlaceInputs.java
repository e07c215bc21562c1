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
    /** The inputs that have voters, ascending. */
    private final int[] used = new int[Features.VOTES];

    private int usedCount;
    private float common;

    /** All weights: those that candidates choose are behind the others. */
    private float[] weights;

    /** Takes the place in hand, and the mean of two weight sets. */
    void open(Candidates candidates, int place, float[] allWeights, int setA, int setB) {
        weights = allWeights;
        usedCount = 0;
        common = 0;
        for (int source = 0; source < Features.SOURCES; source++) {
            long totals = candidates.totals[place * Features.SOURCES + source];
            for (int input = source * Features.LEVELS; totals != 0; input++, totals >>>= Byte.SIZE) {
                int from = Features.row((int) totals & COUNT_MASK);
                float mean = (weights[setA + input] + weights[setB + input]) * 0.5f;
                row[input] = from;
                voteless[input] = Features.logOdds(from);
                weight[input] = mean;
                common += mean * voteless[input];
                used[usedCount++] = input;
            }
        }
        for (int input = Features.VOTES; input < Features.COUNT; input++) {
            weight[input] = (weights[setA + input] + weights[setB + input]) * 0.5f;
        }
    }

    /** The weighted sum of a candidate's inputs. */
    float logOdds(Candidates candidates, int candidate) {
        float sum = common;
        int at = candidate * Features.SOURCES;
        for (int source = 0; source < Features.SOURCES; source++) {
            long votes = candidates.votes[at + source];
            for (int input = source * Features.LEVELS; votes != 0; input++, votes >>>= Byte.SIZE) {
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

    /** Adds {@code error} times what this candidate's inputs are beyond the common ones. */
    void addGradient(Candidates candidates, int candidate, float error, float[] gradient) {
        int at = candidate * Features.SOURCES;
        for (int source = 0; source < Features.SOURCES; source++) {
            long votes = candidates.votes[at + source];
            for (int input = source * Features.LEVELS; votes != 0; input++, votes >>>= Byte.SIZE) {
                gradient[input] +=
                        error * (Features.logOdds(row[input] + ((int) votes & COUNT_MASK)) - voteless[input]);
            }
        }
        for (int i = 0; i < Features.SCALARS; i++) {
            gradient[Features.VOTES + i] += error * candidates.scalars[candidate * Features.SCALARS + i];
        }
    }

    /** Adds the sum of all errors times the inputs that all candidates have in common. */
    void addCommonGradient(float errors, float[] gradient) {
        for (int i = 0; i < usedCount; i++) {
            gradient[used[i]] += errors * voteless[used[i]];
        }
    }

    /** Moves the weights that a candidate chooses itself by {@code step} times its scalars. */
    void moveOwnSet(Candidates candidates, int candidate, float step) {
        int own = ownSet(candidates, candidate);
        for (int i = 0; i < Features.SCALARS; i++) {
            weights[own + i] += step * candidates.scalars[candidate * Features.SCALARS + i];
        }
    }

    private static int ownSet(Candidates candidates, int candidate) {
        return Mixer.PLACE_WEIGHTS + candidates.tokenSet[candidate] * Features.SCALARS;
    }
}
