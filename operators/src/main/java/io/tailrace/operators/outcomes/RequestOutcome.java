package io.tailrace.operators.outcomes;

import io.tailrace.operators.drift.DriftWatch;
import java.util.List;

/**
 * One request's outcome in numbers.
 *
 * @param lane as text
 * @param worker that served the request
 * @param hash of the request's id and the worker's name: another worker's outcome of the same request is another one
 * @param costs its steps by shape
 * @param loss log-loss of its predictions; null: it made none
 */
public record RequestOutcome(
        String lane,
        String worker,
        long hash,
        LaneOutcome.Totals totals,
        List<LaneOutcome.StepCost> costs,
        DriftWatch.Observation loss) {}
