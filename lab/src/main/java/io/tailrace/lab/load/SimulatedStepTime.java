package io.tailrace.lab.load;

/**
 * A straight line for what a verification would cost: {@code baseMicros + microsPerToken * verified tokens}. Simulated, never
 * measured; it only gives the cost curve something to be fitted to where no model runs.
 *
 * @param baseMicros cost of a step, whatever it verifies
 * @param microsPerToken cost of each verified token
 */
public record SimulatedStepTime(long baseMicros, long microsPerToken) {
    public SimulatedStepTime {
        if (baseMicros < 0 || microsPerToken < 0) {
            throw new IllegalArgumentException("baseMicros and microsPerToken must not be negative, got %d and %d"
                    .formatted(baseMicros, microsPerToken));
        }
    }

    /** 15 ms a step and 50 us a token: the order of an 8B model at batch 1 on one GPU. */
    public static SimulatedStepTime defaults() {
        return new SimulatedStepTime(15_000, 50);
    }

    public long micros(int verifiedTokens) {
        return baseMicros + microsPerToken * verifiedTokens;
    }
}
