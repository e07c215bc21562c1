package io.tailrace.operators.learning;

import io.tailrace.suffix.learn.PolicyTrial;
import io.tailrace.suffix.learn.PolicyTrial.Verdict;

/**
 * The best policy that was shown, which no chain of adoptions may lose more to than the margin of one. A candidate that is adopted beside the live policy alone may
 * be worse by almost the margin, and the next one, beside that, again. So it must hold beside the anchor, too, on the same generations. The
 * anchor moves to a policy that is shown to be better ("the anchor is no worse" is ruled out); the evidence for that is gathered
 * while it is a candidate and goes on while it is live, whenever there is a trial. What an operator puts in place is the anchor from then on.
 */
final class PolicyAnchor {
    private LanePolicy policy;
    private PolicyTrial.State steps;
    private PolicyTrial.State candidateAscent;
    private PolicyTrial.State liveAscent;

    /**
     * What is checkpointed of it.
     *
     * @param policy the best that was shown; null: the live one
     * @param steps evidence for and against the candidate beside it
     * @param candidateAscent evidence that the candidate is better
     * @param liveAscent evidence that the live policy is
     */
    record State(
            LanePolicy policy,
            PolicyTrial.State steps,
            PolicyTrial.State candidateAscent,
            PolicyTrial.State liveAscent) {
        static final State BEGUN =
                new State(null, new PolicyTrial.State(), new PolicyTrial.State(), new PolicyTrial.State());
    }

    PolicyAnchor(State state) {
        policy = state.policy;
        steps = LaneTrial.copy(state.steps);
        candidateAscent = LaneTrial.copy(state.candidateAscent);
        liveAscent = LaneTrial.copy(state.liveAscent);
    }

    State state() {
        return new State(policy, LaneTrial.copy(steps), LaneTrial.copy(candidateAscent), LaneTrial.copy(liveAscent));
    }

    /** The anchor; null: it is what is live. */
    LanePolicy policy() {
        return policy;
    }

    /** What the candidate needed beside it; not changed by whoever asks. */
    PolicyTrial.State steps() {
        return steps;
    }

    /** Another candidate is judged from now on. */
    void begin() {
        steps = new PolicyTrial.State();
        candidateAscent = new PolicyTrial.State();
    }

    /** What is live is the anchor. */
    void moveToLive() {
        policy = null;
        liveAscent = new PolicyTrial.State();
        begin();
    }

    /** Takes in the steps that each needed for one generation; what they say of the candidate beside the anchor. */
    Verdict add(int liveSteps, int candidateSteps, int anchorSteps) {
        if (policy != null && better(liveAscent, liveSteps, anchorSteps) == Verdict.REFUSE) {
            moveToLive();
        }
        if (policy == null) {
            better(candidateAscent, candidateSteps, liveSteps);
            return Verdict.ADOPT;
        }
        better(candidateAscent, candidateSteps, anchorSteps);
        return new PolicyTrial(steps).add(anchorSteps, candidateSteps);
    }

    /** The trial with its sides exchanged: it refuses the anchor once that is shown to be worse. */
    private static Verdict better(PolicyTrial.State ascent, int steps, int anchorSteps) {
        return new PolicyTrial(ascent).add(steps, anchorSteps);
    }

    /**
     * The candidate is adopted.
     *
     * @param before what was live
     */
    void adopted(LanePolicy before) {
        boolean better = new PolicyTrial(candidateAscent).verdict() == Verdict.REFUSE;
        LanePolicy kept = policy == null ? before : policy;
        policy = better ? null : kept;
        liveAscent = better ? new PolicyTrial.State() : candidateAscent;
        begin();
    }
}
