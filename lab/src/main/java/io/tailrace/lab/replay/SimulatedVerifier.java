package io.tailrace.lab.replay;

import io.tailrace.suffix.draft.Draft;

/**
 * Verifies a draft against what the model really answered, as a greedy verifier would have (SuffixDecoding, section 5.1):
 * the path of the tree that the answer follows is accepted, then the model's own token is added.
 */
public final class SimulatedVerifier {
    private SimulatedVerifier() {}

    /** How many draft tokens, along the path from the context's end, agree with {@code truth[at..]}. */
    public static int accepted(Draft draft, int[] truth, int at) {
        int node = -1;
        int accepted = 0;
        int size = draft.size();
        for (int next = 0; next < size && at + accepted < truth.length; next++) {
            if (draft.parent(next) == node && draft.token(next) == truth[at + accepted]) {
                node = next;
                accepted++;
            }
        }
        return accepted;
    }
}
