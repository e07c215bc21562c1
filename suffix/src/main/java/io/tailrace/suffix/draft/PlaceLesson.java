package io.tailrace.suffix.draft;

import java.util.Arrays;

/**
 * What one place teaches once it is known what came: one gradient step of the log-loss for each of the two sets that the place chooses, on its
 * own error, and one for each set that its candidates choose, on the error of all together. All errors are of the weights as they are before any step.
 *
 * <p>Both sets are summed in one go over the candidates' inputs, in the order of {@link PlaceInputs}.
 */
final class PlaceLesson {
    private static final int COUNT_MASK = 0xff;
    private static final int SETS = 2;

    private final float[] weights;
    private final WeightSteps steps;
    /** Input of a candidate without votes, and where the table's row for the input's total begins. */
    private final float[] voteless = new float[Features.VOTES];

    private final int[] row = new int[Features.VOTES];
    private final int[] used = new int[Features.VOTES];
    private int usedCount;

    private final int[] sets = new int[SETS];
    private final float[] commons = new float[SETS];
    private final float[] gradientA = new float[Features.COUNT];
    private final float[] gradientB = new float[Features.COUNT];
    /** Of the sets that candidates choose, gradients and their squares; all zero between lessons, like the mark of those that were chosen. */
    private final float[] gradientsOwn = new float[Features.TOKEN_SETS * Features.SCALARS];

    private final float[] squaresOwn = new float[Features.TOKEN_SETS * Features.SCALARS];
    private final boolean[] isChosen = new boolean[Features.TOKEN_SETS];
    private final int[] chosen = new int[Features.TOKEN_SETS];
    /** Of each candidate the odds by either set, with its own correction, and by all together; then the errors. */
    private float[] oddsA = new float[64];

    private float[] oddsB = new float[64];
    private float[] oddsAll = new float[64];

    /** Lessons for these weights, which they change. */
    PlaceLesson(float[] weights) {
        this.weights = weights;
        this.steps = new WeightSteps(weights);
    }

    /** How they change the weights. */
    WeightSteps steps() {
        return steps;
    }

    /** One lesson: the token {@code truth} came at a place that chooses these sets. */
    void learn(Candidates candidates, int place, int truth, int setA, int setB) {
        sets[0] = setA;
        sets[1] = setB;
        int first = candidates.first[place];
        int end = candidates.end[place];
        ensure(end - first);
        open(candidates, place);
        judge(candidates, first, end, truth);
        Arrays.fill(gradientA, 0);
        Arrays.fill(gradientB, 0);
        float errorsA = 0;
        float errorsB = 0;
        for (int candidate = first; candidate < end; candidate++) {
            errorsA += oddsA[candidate - first];
            errorsB += oddsB[candidate - first];
            addGradients(candidates, candidate, oddsA[candidate - first], oddsB[candidate - first]);
        }
        for (int i = 0; i < usedCount; i++) {
            gradientA[used[i]] += errorsA * voteless[used[i]];
            gradientB[used[i]] += errorsB * voteless[used[i]];
        }
        moveSet(setA, gradientA);
        moveSet(setB, gradientB);
        moveOwnSets(candidates, first, end);
    }

    private void open(Candidates candidates, int place) {
        usedCount = 0;
        Arrays.fill(commons, 0);
        for (int poll = 0; poll < Features.POLLS; poll++) {
            long totals = candidates.totals[place * Features.POLLS + poll];
            for (int input = poll * Features.LEVELS; totals != 0; input++, totals >>>= Byte.SIZE) {
                int from = Features.row((int) totals & COUNT_MASK);
                row[input] = from;
                voteless[input] = Features.logOdds(from);
                commons[0] += weights[sets[0] + input] * voteless[input];
                commons[1] += weights[sets[1] + input] * voteless[input];
                used[usedCount++] = input;
            }
        }
    }

    /** Fills in the errors. */
    private void judge(Candidates candidates, int first, int end, int truth) {
        float sumA = 1;
        float sumB = 1;
        float sumAll = 1;
        for (int candidate = first; candidate < end; candidate++) {
            int at = candidate - first;
            addOdds(candidates, candidate, at);
            sumA += oddsA[at];
            sumB += oddsB[at];
            sumAll += oddsAll[at];
        }
        for (int candidate = first; candidate < end; candidate++) {
            int at = candidate - first;
            float hit = candidates.token[candidate] == truth ? 1 : 0;
            oddsA[at] = hit - oddsA[at] / sumA;
            oddsB[at] = hit - oddsB[at] / sumB;
            oddsAll[at] = hit - oddsAll[at] / sumAll;
        }
    }

    private void addOdds(Candidates candidates, int candidate, int at) {
        float byA = commons[0];
        float byB = commons[1];
        for (int poll = 0; poll < Features.POLLS; poll++) {
            long votes = candidates.votes[candidate * Features.POLLS + poll];
            for (int input = poll * Features.LEVELS; votes != 0; input++, votes >>>= Byte.SIZE) {
                float share = Features.logOdds(row[input] + ((int) votes & COUNT_MASK)) - voteless[input];
                byA += weights[sets[0] + input] * share;
                byB += weights[sets[1] + input] * share;
            }
        }
        float[] scalars = candidates.scalars;
        int from = candidate * Features.SCALARS;
        byA += PlaceInputs.weighted(scalars, from, weights, sets[0] + Features.VOTES);
        byB += PlaceInputs.weighted(scalars, from, weights, sets[1] + Features.VOTES);
        float own = PlaceInputs.weighted(scalars, from, weights, PlaceInputs.ownSet(candidates, candidate));
        oddsA[at] = Features.exponential(byA + own);
        oddsB[at] = Features.exponential(byB + own);
        oddsAll[at] = Features.exponential((byA + byB) * 0.5f + own);
    }

    /** Adds the errors times what this candidate's inputs are beyond those of one without votes. */
    private void addGradients(Candidates candidates, int candidate, float errorA, float errorB) {
        for (int poll = 0; poll < Features.POLLS; poll++) {
            long votes = candidates.votes[candidate * Features.POLLS + poll];
            for (int input = poll * Features.LEVELS; votes != 0; input++, votes >>>= Byte.SIZE) {
                float share = Features.logOdds(row[input] + ((int) votes & COUNT_MASK)) - voteless[input];
                gradientA[input] += errorA * share;
                gradientB[input] += errorB * share;
            }
        }
        int from = candidate * Features.SCALARS;
        for (int i = 0; i < Features.SCALARS; i++) {
            gradientA[Features.VOTES + i] += errorA * candidates.scalars[from + i];
            gradientB[Features.VOTES + i] += errorB * candidates.scalars[from + i];
        }
    }

    /** Where nobody votes nothing is learned of votes, and no rate changes. */
    private void moveSet(int set, float[] gradients) {
        for (int i = 0; i < usedCount; i++) {
            float gradient = gradients[used[i]];
            steps.take(set + used[i], gradient, gradient * gradient);
        }
        for (int i = Features.VOTES; i < Features.COUNT; i++) {
            steps.take(set + i, gradients[i], gradients[i] * gradients[i]);
        }
    }

    private void moveOwnSets(Candidates candidates, int first, int end) {
        int count = 0;
        for (int candidate = first; candidate < end; candidate++) {
            int set = candidates.tokenSet[candidate];
            if (!isChosen[set]) {
                isChosen[set] = true;
                chosen[count++] = set;
            }
            addOwnGradients(candidates, candidate, set * Features.SCALARS, oddsAll[candidate - first]);
        }
        for (int i = 0; i < count; i++) {
            isChosen[chosen[i]] = false;
            moveOwnSet(chosen[i] * Features.SCALARS);
        }
    }

    private void addOwnGradients(Candidates candidates, int candidate, int set, float error) {
        int from = candidate * Features.SCALARS;
        for (int i = 0; i < Features.SCALARS; i++) {
            float gradient = error * candidates.scalars[from + i];
            gradientsOwn[set + i] += gradient;
            squaresOwn[set + i] += gradient * gradient;
        }
    }

    private void moveOwnSet(int set) {
        for (int i = set; i < set + Features.SCALARS; i++) {
            steps.take(Mixer.PLACE_WEIGHTS + i, gradientsOwn[i], squaresOwn[i]);
        }
        Arrays.fill(gradientsOwn, set, set + Features.SCALARS, 0);
        Arrays.fill(squaresOwn, set, set + Features.SCALARS, 0);
    }

    private void ensure(int candidates) {
        if (oddsA.length < candidates) {
            oddsA = new float[Math.max(candidates, 2 * oddsA.length)];
            oddsB = new float[oddsA.length];
            oddsAll = new float[oddsA.length];
        }
    }
}
