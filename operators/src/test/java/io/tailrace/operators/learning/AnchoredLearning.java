package io.tailrace.operators.learning;

import io.tailrace.suffix.learn.PolicyTrial;
import java.util.List;
import java.util.Map;

/** A lane's learning in which a policy was shown that is better than the live one. */
public final class AnchoredLearning {
    private AnchoredLearning() {}

    /** With the best that was shown; null: the live policy is. */
    public static LaneLearning at(LanePolicy anchor) {
        PolicyAnchor.State shown = new PolicyAnchor.State(
                anchor, new PolicyTrial.State(), new PolicyTrial.State(), new PolicyTrial.State());
        LaneLearning.State state = new LaneLearning.State(
                Map.of(), null, RetentionTrial.State.NONE, LaneTrial.State.BEGUN, shown, 0, 0, null, List.of());
        return new LaneLearning(state, LaneLearning.Options.defaults());
    }
}
