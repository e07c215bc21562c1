package io.tailrace.worker.sampling;

/**
 * How the tokens of one request are chosen. Applied in this order: temperature, top-k, top-p.
 *
 * @param temperature 0: greedy, the rest is ignored; else logits are divided by it, up to {@link #TEMPERATURE_MAX}
 * @param topK only the k likeliest tokens; 0: all
 * @param topP only the fewest likeliest tokens whose probabilities reach this sum; 1: all
 * @param seed random numbers are a function of it, the position and the token
 */
public record SamplingParameters(float temperature, int topK, float topP, long seed) {
    public static final float TEMPERATURE_MAX = 100;
    public static final SamplingParameters GREEDY = new SamplingParameters(0, 0, 1, 0);

    public SamplingParameters {
        if (!(temperature >= 0 && temperature <= TEMPERATURE_MAX)) {
            throw new IllegalArgumentException(
                    "temperature must be in [0, %s], got %s".formatted(TEMPERATURE_MAX, temperature));
        }
        if (topK < 0) {
            throw new IllegalArgumentException("top_k must be at least 0 (0: no limit), got " + topK);
        }
        if (!(topP > 0 && topP <= 1)) {
            throw new IllegalArgumentException("top_p must be in (0, 1], got " + topP);
        }
    }

    public boolean greedy() {
        return temperature == 0;
    }
}
