package io.tailrace.client.draft;

import io.tailrace.suffix.draft.Draft;

/** How many tokens of a draft may be expected to be accepted, as its probabilities have it. */
public final class ExpectedTokens {
    private ExpectedTokens() {}

    /** Of the whole draft. */
    public static double of(Draft draft) {
        double sum = 0;
        for (int node = 0; node < draft.size(); node++) {
            sum += draft.probability(node);
        }
        return sum;
    }
}
