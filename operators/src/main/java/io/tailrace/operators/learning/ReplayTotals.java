package io.tailrace.operators.learning;

/** What replays add up to. */
public record ReplayTotals(long generations, long responseTokens, long steps, long drafted, long accepted) {
    public static final ReplayTotals ZERO = new ReplayTotals(0, 0, 0, 0, 0);

    public ReplayTotals plus(ReplayTotals other) {
        return new ReplayTotals(
                generations + other.generations,
                responseTokens + other.responseTokens,
                steps + other.steps,
                drafted + other.drafted,
                accepted + other.accepted);
    }
}
