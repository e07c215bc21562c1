package io.tailrace.operators.learning;

import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.suffix.learn.PolicyTrial;
import io.tailrace.suffix.learn.PolicyTrial.Verdict;

/**
 * The best policy that was shown, which no chain of adoptions may lose more to than the margin of one. A candidate that is adopted beside the live policy alone may
 * be worse by almost the margin, and the next one, beside that, again. So it must hold beside the anchor, too, on the same generations. The
 * anchor moves to a policy that is shown to be better ("the anchor is no worse" is ruled out); the evidence for that is gathered
 * while it is a candidate and goes on while it is live, whenever there is a trial. What an operator puts in place is the anchor from then
 * on. Works over a {@link LearningState}.
 */
final class PolicyAnchor {
    private final LearningState state;

    PolicyAnchor(LearningState state) {
        this.state = state;
    }

    /** The anchor; null: it is what is live. */
    LanePolicy policy() {
        return state.anchor;
    }

    /** Another candidate is judged from now on. */
    void begin() {
        state.anchorTrial = new PolicyTrial.State();
        state.candidateAscent = new PolicyTrial.State();
    }

    /** What is live is the anchor. */
    void moveToLive() {
        state.anchor = null;
        state.liveAscent = new PolicyTrial.State();
        begin();
    }

    /** Takes in the steps that each needed for one generation; what they say of the candidate beside the anchor. */
    Verdict add(int liveSteps, int candidateSteps, int anchorSteps) {
        if (state.anchor != null && better(state.liveAscent, liveSteps, anchorSteps) == Verdict.REFUSE) {
            moveToLive();
        }
        if (state.anchor == null) {
            better(state.candidateAscent, candidateSteps, liveSteps);
            return Verdict.ADOPT;
        }
        better(state.candidateAscent, candidateSteps, anchorSteps);
        return new PolicyTrial(state.anchorTrial).add(anchorSteps, candidateSteps);
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
        boolean better = new PolicyTrial(state.candidateAscent).verdict() == Verdict.REFUSE;
        LanePolicy kept = state.anchor == null ? before : state.anchor;
        state.anchor = better ? null : kept;
        state.liveAscent = better ? new PolicyTrial.State() : state.candidateAscent;
        begin();
    }
}
