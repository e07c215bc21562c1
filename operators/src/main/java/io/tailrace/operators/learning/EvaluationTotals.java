package io.tailrace.operators.learning;

/** What evaluations add up to. */
public record EvaluationTotals(long generations, long responseTokens, long steps, long drafted, long accepted) {
    public static final EvaluationTotals ZERO = new EvaluationTotals(0, 0, 0, 0, 0);

    public EvaluationTotals plus(EvaluationTotals other) {
        return new EvaluationTotals(
                generations + other.generations,
                responseTokens + other.responseTokens,
                steps + other.steps,
                drafted + other.drafted,
                accepted + other.accepted);
    }
}
