package io.tailrace.operators.outcomes;

import java.util.List;

/**
 * One request's outcome, or a lane's sum of them.
 *
 * @param lane as text
 * @param costs one request: its steps by shape; a sum: the fitted cost curves' points
 */
public record LaneOutcome(String lane, VerificationTotals totals, List<StepCost> costs) {
    public LaneOutcome(String lane, VerificationTotals totals) {
        this(lane, totals, List.of());
    }
}
