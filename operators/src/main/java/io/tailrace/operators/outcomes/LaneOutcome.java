package io.tailrace.operators.outcomes;

/**
 * One request's outcome, or a lane's sum of them.
 *
 * @param lane as text
 */
public record LaneOutcome(String lane, OutcomeTotals totals) {}
