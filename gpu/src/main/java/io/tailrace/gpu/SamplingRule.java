package io.tailrace.gpu;

/**
 * How a request's tokens are chosen.
 *
 * @param temperature 0: always the likeliest
 * @param topP share of probability to choose from, 1: all
 * @param topK tokens to choose from, 0: all
 * @param seed chance is a function of seed and position in the context alone
 */
public record SamplingRule(float temperature, float topP, int topK, long seed) {
    public static final SamplingRule GREEDY = new SamplingRule(0, 1, 0, 0);

    public SamplingRule {
        if (!(temperature >= 0) || Float.isInfinite(temperature)) {
            throw new IllegalArgumentException("temperature must be finite and >= 0, got " + temperature);
        }
        if (!(topP > 0 && topP <= 1)) {
            throw new IllegalArgumentException("topP must be in (0, 1], got " + topP);
        }
        if (topK < 0) {
            throw new IllegalArgumentException("topK must be >= 0, got " + topK);
        }
    }
}
