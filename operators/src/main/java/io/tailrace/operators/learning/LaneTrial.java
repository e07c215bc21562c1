package io.tailrace.operators.learning;

import io.tailrace.suffix.learn.PolicyTrial;

/**
 * How far the one trial is that a lane may have on, of a policy or of a retention: replicas score the candidate and what is live on the same
 * generations, which neither holds nor has learned from, and a sequential test decides.
 */
final class LaneTrial {
    /** A trial that does not go on for so long is told again: evaluators may have missed it across a restore. */
    static final long TOLD_AGAIN_MILLIS = 60_000;
    /** A change of retention that was told so often in vain is withdrawn: no replica can read its segment. */
    private static final int TOLD_IN_VAIN_MAX = 5;

    private PolicyTrial.State steps;
    private long toldAt;
    private int toldGenerations;
    private int toldInVain;

    /**
     * What is checkpointed of it.
     *
     * @param steps evidence for and against the candidate
     * @param toldAt when it was told last, epoch milliseconds
     * @param toldGenerations how far it was then
     * @param toldInVain how often it was told in vain
     */
    record State(PolicyTrial.State steps, long toldAt, int toldGenerations, int toldInVain) {
        static final State BEGUN = new State(new PolicyTrial.State(), 0, 0, 0);
    }

    LaneTrial(State state) {
        steps = copy(state.steps);
        toldAt = state.toldAt;
        toldGenerations = state.toldGenerations;
        toldInVain = state.toldInVain;
    }

    State state() {
        return new State(copy(steps), toldAt, toldGenerations, toldInVain);
    }

    static PolicyTrial.State copy(PolicyTrial.State state) {
        PolicyTrial.State copy = new PolicyTrial.State();
        copy.logAdopt = state.logAdopt.clone();
        copy.logRefuse = state.logRefuse.clone();
        copy.generations = state.generations;
        copy.liveSteps = state.liveSteps;
        copy.candidateSteps = state.candidateSteps;
        return copy;
    }

    /** Another is on, or none. */
    void begin() {
        steps = new PolicyTrial.State();
        toldAt = 0;
        toldInVain = 0;
    }

    /** Takes in the steps that both sides needed for one generation; what they say. */
    PolicyTrial.Verdict add(int live, int candidate) {
        return new PolicyTrial(steps).add(live, candidate);
    }

    /** What it came to; not changed by whoever asks. */
    PolicyTrial.State steps() {
        return steps;
    }

    PolicyTrial.Verdict verdict() {
        return new PolicyTrial(steps).verdict();
    }

    /** True if replicas that go on evaluating have scored nothing for so long that it is to be told again. */
    boolean stands(long nowMillis) {
        toldAt = Math.min(toldAt, nowMillis); // a clock that went back
        if (nowMillis < toldAt + TOLD_AGAIN_MILLIS) {
            return false;
        }
        boolean stands = toldAt > 0 && steps.generations == toldGenerations;
        toldAt = nowMillis;
        toldGenerations = steps.generations;
        toldInVain = stands ? toldInVain + 1 : 0;
        return stands;
    }

    boolean isInVain() {
        return toldInVain > TOLD_IN_VAIN_MAX;
    }
}
