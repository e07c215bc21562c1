package io.tailrace.suffix.learn;

import java.util.Arrays;

/**
 * Judges a candidate, another policy or less memory, against what is live, generation by generation, and stops as soon as it is sure.
 *
 * <p><b>Idea.</b> Both draft the same generation, which neither holds nor has learned from. The figure is the
 * relative difference of their steps, {@code x = (live - candidate) / max} in [-1, 1]: above 0 where the candidate needs fewer. Two
 * bets are collected, each with a mean of at most 1 while its doubt holds (testing by betting: Shafer, 2021; Waudby-Smith and
 * Ramdas, "Estimating means of bounded random variables by betting", 2024): {@code 1 + b (x + margin)} against "the candidate is
 * worse by the margin or more", and {@code 1 - b x} against "the candidate is no worse". Several {@code b} are averaged, since the
 * best one depends on the variance.
 *
 * <p><b>Errors.</b> A candidate that is worse by the margin is adopted with a probability of at most {@value #ERROR}; one that is no
 * worse is refused with at most that, but for those that the limit of {@value #GENERATIONS_MAX} generations ends: what cannot be
 * shown to be no worse within them is refused. Looking after each generation costs nothing (Ville's inequality).
 */
public final class PolicyTrial {
    public static final double MARGIN = 0.02;
    public static final double ERROR = 0.01;
    public static final int GENERATIONS_MAX = 4_000;

    private static final double[] STAKES = {0.9, 0.6, 0.3, 0.15, 0.05};
    private static final double LOG_THRESHOLD = Math.log(1 / ERROR);

    private final State state;

    /** What a trial remembers; plain fields, so that it can be checkpointed. */
    public static final class State {
        /** Logarithms of the stakes against "worse by the margin". */
        public double[] logAdopt = new double[STAKES.length];
        /** Logarithms of the stakes against "no worse". */
        public double[] logRefuse = new double[STAKES.length];

        public int generations;
        public long liveSteps;
        public long candidateSteps;
    }

    /** What is known so far. */
    public enum Verdict {
        UNDECIDED,
        /** Worse by the margin: ruled out. */
        ADOPT,
        /** No worse: ruled out. */
        REFUSE,
        /** The limit is reached and neither is ruled out. */
        NOT_SHOWN
    }

    public PolicyTrial(State state) {
        this.state = state;
    }

    /** Takes in one generation: the steps that each needed. */
    public Verdict add(long liveSteps, long candidateSteps) {
        if (liveSteps > 0 && candidateSteps > 0) {
            state.generations++;
            state.liveSteps += liveSteps;
            state.candidateSteps += candidateSteps;
            double x = (double) (liveSteps - candidateSteps) / Math.max(liveSteps, candidateSteps);
            for (int i = 0; i < STAKES.length; i++) {
                state.logAdopt[i] += Math.log1p(STAKES[i] * (x + MARGIN) / (1 + MARGIN));
                state.logRefuse[i] += Math.log1p(-STAKES[i] * x);
            }
        }
        return verdict();
    }

    public Verdict verdict() {
        if (logMean(state.logRefuse) >= LOG_THRESHOLD) {
            return Verdict.REFUSE;
        }
        if (logMean(state.logAdopt) >= LOG_THRESHOLD) {
            return Verdict.ADOPT;
        }
        return state.generations >= GENERATIONS_MAX ? Verdict.NOT_SHOWN : Verdict.UNDECIDED;
    }

    private static double logMean(double[] logs) {
        double max = Arrays.stream(logs).max().orElse(0);
        double sum = 0;
        for (double log : logs) {
            sum += Math.exp(log - max);
        }
        return max + Math.log(sum / logs.length);
    }
}
