package io.tailrace.lab.load;

import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeTally;

/**
 * What served requests add up to.
 *
 * @param requests served to their end
 * @param responseTokens produced
 * @param steps verifications
 * @param drafted draft tokens verified
 * @param accepted draft tokens accepted
 * @param draftNanos time spent drafting
 * @param ownContextTokens tokens of the requests that were also decoded from their own context only
 * @param ownContextSteps verifications that those would have taken
 */
public record ServedTotals(
        long requests,
        long responseTokens,
        long steps,
        long drafted,
        long accepted,
        long draftNanos,
        long ownContextTokens,
        long ownContextSteps) {
    public static final ServedTotals NONE = new ServedTotals(0, 0, 0, 0, 0, 0, 0, 0);

    /** These and one more request. */
    public ServedTotals plus(ServedRequest served) {
        DecodeTally tally = served.decoded().tally();
        int tokens = served.decoded().output().length;
        DecodeTally own = served.ownContext();
        return plus(new ServedTotals(
                1,
                tokens,
                tally.steps(),
                tally.drafted(),
                tally.accepted(),
                tally.draftNanos(),
                own == null ? 0 : tokens,
                own == null ? 0 : own.steps()));
    }

    public ServedTotals plus(ServedTotals other) {
        return new ServedTotals(
                requests + other.requests,
                responseTokens + other.responseTokens,
                steps + other.steps,
                drafted + other.drafted,
                accepted + other.accepted,
                draftNanos + other.draftNanos,
                ownContextTokens + other.ownContextTokens,
                ownContextSteps + other.ownContextSteps);
    }

    /** 0 before the first step. */
    public double tokensPerStep() {
        return steps == 0 ? 0 : (double) responseTokens / steps;
    }

    /** 0 if it was not measured. */
    public double tokensPerStepOwnContext() {
        return ownContextSteps == 0 ? 0 : (double) ownContextTokens / ownContextSteps;
    }

    /** 0 before the first step. */
    public double acceptedPerStep() {
        return steps == 0 ? 0 : (double) accepted / steps;
    }
}
