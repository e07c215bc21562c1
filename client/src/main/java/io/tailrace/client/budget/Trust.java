package io.tailrace.client.budget;

/**
 * How well probabilities hold: tokens accepted by tokens expected, over the last ones. A request begins with the trust
 * that all requests together have earned, as a prior worth {@value #PRIOR} expected tokens.
 */
final class Trust {
    private static final double PRIOR = 4;
    private static final double DECAY = 0.99;
    private static final double MIN = 0.05;
    private static final double MAX = 1.5;

    private final Trust shared;
    private double expected;
    private double accepted;

    Trust(Trust shared) {
        this.shared = shared;
    }

    /** Old evidence fades with new, not with drafts that told nothing. */
    void add(double expectedTokens, int acceptedTokens) {
        if (expectedTokens <= 0) {
            return;
        }
        expected = expected * DECAY + expectedTokens;
        accepted = accepted * DECAY + acceptedTokens;
    }

    /** What to multiply probabilities by. */
    double factor() {
        double prior = shared == null ? 1 : shared.factor();
        return Math.max(MIN, Math.min(MAX, (accepted + PRIOR * prior) / (expected + PRIOR)));
    }
}
