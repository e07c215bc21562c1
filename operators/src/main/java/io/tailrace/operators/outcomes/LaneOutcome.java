package io.tailrace.operators.outcomes;

import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Outcome;
import java.util.List;

/**
 * The sum of a lane's outcomes.
 *
 * @param lane as text
 * @param costs the fitted cost curves' points
 */
public record LaneOutcome(String lane, Totals totals, List<StepCost> costs) {
    public LaneOutcome(String lane, Totals totals) {
        this(lane, totals, List.of());
    }

    /**
     * Verification steps of one shape on one class of workers; or, fitted, what one such step takes.
     *
     * @param batch requests in the verified batch
     * @param verifiedTokens of the whole step: one for each request and their draft tokens
     * @param steps how many
     * @param micros their time, summed; fitted: of one
     */
    public record StepCost(String workerClass, int batch, int verifiedTokens, int steps, double micros) {}

    /** What the outcomes of one lane add up to, since the job's state began. */
    public record Totals(long requests, long steps, long drafted, long accepted, long responseTokens) {
        public static final Totals ZERO = new Totals(0, 0, 0, 0, 0);

        Totals plus(Totals other) {
            return new Totals(
                    requests + other.requests,
                    steps + other.steps,
                    drafted + other.drafted,
                    accepted + other.accepted,
                    responseTokens + other.responseTokens);
        }

        static Totals of(Outcome outcome) {
            return new Totals(
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
}
