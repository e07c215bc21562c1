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

    /** Of its next tokens alone: at most one of them comes. */
    public static double ofNext(Draft draft) {
        double sum = 0;
        for (int node = 0; node < draft.size(); node++) {
            sum += draft.parent(node) < 0 ? draft.probability(node) : 0;
        }
        return sum;
    }
}
