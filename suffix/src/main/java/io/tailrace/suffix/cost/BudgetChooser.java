package io.tailrace.suffix.cost;

import io.tailrace.suffix.draft.Draft;

/**
 * Cuts drafts to the length that makes the most tokens a second: the promise that drafting is never slower than not drafting.
 * One request stream, one thread at a time; allocates nothing.
 *
 * <p><b>Idea.</b> The nodes of a draft come best first, each with its path's probability, so the first {@code b} of them are the
 * best draft of {@code b} tokens and their probabilities sum to the tokens expected to be accepted. The length is the {@code b}, 0
 * included, with the largest {@code (1 + k * sum) / time(batch + b)}. The correction {@code k} is what was accepted over what was expected,
 * old steps fading; where nothing is verified it goes on being learned from the draft's first tokens, since the true one comes anyway.
 *
 * <p><b>Off.</b> After {@value #IDLE_STEPS} looks in a row at which nothing paid, only every {@value #LOOK_EVERY}th step is drafted at all, to
 * look again: no verification, ten microseconds. As soon as something pays, drafting is on.
 *
 * <p><b>Exploring.</b> A curve is only known where it was measured. Of the time of all steps {@value #EXPLORED_SHARE} is put aside, and
 * whenever that covers the whole price of verifying a draft that does not seem to pay, one is verified: what it costs and gives is
 * reported like any other. So exploring costs at most that share, whatever the curve.
 */
public final class BudgetChooser {
    public static final double EXPLORED_SHARE = 0.004;
    static final int IDLE_STEPS = 64;
    static final int LOOK_EVERY = 16;
    /** A draft has to be better than none by this, or it is not worth its risk. */
    static final double GAIN_MIN = 1.005;

    private static final double FADING = 1 - 1.0 / 256;
    private static final double PRIOR_TOKENS = 16;
    private static final double CORRECTION_MIN = 0.02;
    private static final double CORRECTION_MAX = 1.5;
    /** Most put aside for exploring, in plain steps. */
    private static final double SAVED_STEPS_MAX = 8;

    private double accepted = PRIOR_TOKENS;
    private double expected = PRIOR_TOKENS;
    private double saved;
    private int idle;
    private int sinceLook;
    private double expectedNow;
    private Draft shadow;

    /** Whether this step is to be drafted at all. */
    public boolean wantsDraft() {
        return idle < IDLE_STEPS || ++sinceLook >= LOOK_EVERY;
    }

    /** How many of the draft's first nodes to verify, for a step in a batch of so many requests, the others without drafts. */
    public int choose(Draft draft, CostCurve curve, int batch) {
        sinceLook = 0;
        int best = best(draft, curve, batch);
        if (best == 0 && draft.size() > 0) {
            best = explored(draft, curve, batch);
            idle = best > 0 ? idle : idle + 1;
        } else if (best > 0) {
            idle = 0;
        }
        expectedNow = sum(draft, best);
        shadow = best == 0 && draft.size() > 0 ? draft : null;
        saved = curve.known()
                ? Math.min(
                        SAVED_STEPS_MAX * curve.micros(batch, batch),
                        saved + EXPLORED_SHARE * curve.micros(batch, batch))
                : 0;
        return best;
    }

    /** A step passed without a draft, as {@link #wantsDraft} said. */
    public void passed(CostCurve curve, int batch) {
        expectedNow = 0;
        shadow = null;
        if (curve.known()) {
            double plain = curve.micros(batch, batch);
            saved = Math.min(SAVED_STEPS_MAX * plain, saved + EXPLORED_SHARE * plain);
        }
    }

    /**
     * What verification said of the step that was chosen for last.
     *
     * @param acceptedTokens draft tokens accepted
     * @param first the first token that came
     */
    public void verified(int acceptedTokens, int first) {
        if (expectedNow > 0) {
            learn(acceptedTokens, expectedNow);
        } else if (shadow != null) {
            learnFromFirst(first);
        }
        expectedNow = 0;
        shadow = null;
    }

    private void learnFromFirst(int first) {
        double sum = 0;
        int hit = 0;
        for (int node = 0; node < shadow.size(); node++) {
            if (shadow.parent(node) < 0) {
                sum += shadow.probability(node);
                hit = shadow.token(node) == first ? 1 : hit;
            }
        }
        learn(hit, sum);
    }

    private void learn(double got, double hoped) {
        accepted = accepted * FADING + got;
        expected = expected * FADING + hoped;
    }

    /** Accepted over expected. */
    double correction() {
        double prior = PRIOR_TOKENS / 8;
        return Math.max(CORRECTION_MIN, Math.min(CORRECTION_MAX, (accepted + prior) / (expected + prior)));
    }

    private int best(Draft draft, CostCurve curve, int batch) {
        double correction = correction();
        double bestSpeed = GAIN_MIN / curve.micros(batch, batch);
        int best = 0;
        double sum = 0;
        for (int nodes = 1; nodes <= draft.size(); nodes++) {
            sum += draft.probability(nodes - 1);
            double speed = (1 + correction * sum) / curve.micros(batch, batch + nodes);
            if (speed > bestSpeed || (!curve.known() && nodes == draft.size())) {
                bestSpeed = speed;
                best = nodes;
            }
        }
        return best;
    }

    /** The draft that loses least, if what was put aside covers its price; else nothing. */
    private int explored(Draft draft, CostCurve curve, int batch) {
        int best = 1;
        double bestSpeed = 0;
        double sum = 0;
        for (int nodes = 1; nodes <= draft.size(); nodes++) {
            sum += draft.probability(nodes - 1);
            double speed = (1 + sum) / curve.micros(batch, batch + nodes);
            if (speed > bestSpeed) {
                bestSpeed = speed;
                best = nodes;
            }
        }
        double price = curve.micros(batch, batch + best) - curve.micros(batch, batch);
        if (saved < price || saved <= 0) {
            return 0;
        }
        saved -= Math.max(price, EXPLORED_SHARE * curve.micros(batch, batch));
        return best;
    }

    private static double sum(Draft draft, int nodes) {
        double sum = 0;
        for (int node = 0; node < nodes; node++) {
            sum += draft.probability(node);
        }
        return sum;
    }
}
