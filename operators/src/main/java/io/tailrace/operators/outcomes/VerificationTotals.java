package io.tailrace.operators.outcomes;

import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Outcome;

/** What the outcomes of one lane add up to, since the job's state began. */
public record VerificationTotals(long requests, long steps, long drafted, long accepted, long responseTokens) {
    public static final VerificationTotals ZERO = new VerificationTotals(0, 0, 0, 0, 0);

    VerificationTotals plus(VerificationTotals other) {
        return new VerificationTotals(
                requests + other.requests,
                steps + other.steps,
                drafted + other.drafted,
                accepted + other.accepted,
                responseTokens + other.responseTokens);
    }

    static VerificationTotals of(Outcome outcome) {
        return new VerificationTotals(
                1, outcome.getSteps(), outcome.getDrafted(), outcome.getAccepted(), outcome.getResponseTokens());
    }

    /** Accepted draft tokens per verification step; 0 before the first. */
    public double acceptedPerStep() {
        return steps == 0 ? 0 : (double) accepted / steps;
    }

    /** Share of the drafted tokens that were accepted; 0 before the first. */
    public double acceptanceRate() {
        return drafted == 0 ? 0 : (double) accepted / drafted;
    }

    public LaneStatistics toStatistics() {
        return new LaneStatistics(requests, steps, drafted, accepted, responseTokens);
    }
}
