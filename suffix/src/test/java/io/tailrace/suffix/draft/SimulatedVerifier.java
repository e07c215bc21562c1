package io.tailrace.suffix.draft;

import java.util.Arrays;

/** Accepts what the true text says: the accepted path and the token after it, as a verifier reports them. */
final class SimulatedVerifier {
    private SimulatedVerifier() {}

    static int[] verify(Draft draft, int[] truth, int at) {
        int node = -1;
        int accepted = 0;
        for (int i = 0; i < draft.size() && at + accepted < truth.length; i++) {
            if (draft.parent(i) == node && draft.token(i) == truth[at + accepted]) {
                node = i;
                accepted++;
            }
        }
        return Arrays.copyOfRange(truth, at, Math.min(truth.length, at + accepted + 1));
    }
}
