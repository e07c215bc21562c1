package io.tailrace.lab.replay;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import java.util.Arrays;

/**
 * Verifies drafts as {@link io.tailrace.suffix.draft.AcceptedPath} does and notes, for every node, how likely it was said to be and whether it was
 * right. Nodes behind the response's end are left out: what the model would have said there is not known.
 */
final class DraftAudit {
    private static final int WRONG = -1;
    /** Tokens of the truth that the path to each node holds, {@link #WRONG} if it left the truth. */
    private final int[] right = new int[DraftPolicy.BUDGET_MAX];

    /** Returns how many draft tokens agree with {@code truth[at..]}. */
    int verify(Draft draft, int[] truth, int at, ReplayTally tally) {
        int size = draft.size();
        int known = truth.length - at;
        int accepted = 0;
        Arrays.fill(right, 0, size, WRONG);
        for (int node = 0; node < size; node++) {
            int parent = draft.parent(node);
            int before = parent < 0 ? 0 : right[parent];
            if (before == known) {
                right[node] = known;
                continue;
            }
            boolean hit = before >= 0 && draft.token(node) == truth[at + before];
            right[node] = hit ? before + 1 : WRONG;
            accepted = Math.max(accepted, right[node]);
            tally.paths().add(draft.probability(node), hit);
            if (before >= 0) {
                float parentProbability = parent < 0 ? 1 : draft.probability(parent);
                tally.tokensAtNode().add(draft.probability(node) / parentProbability, hit);
            }
        }
        return accepted;
    }
}
