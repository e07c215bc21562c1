package io.tailrace.worker.device;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.SourceKind;
import java.util.Arrays;

/**
 * What a draft that the host has not seen may be worth: by rank the probabilities of the drafts before it, the last one counting as
 * much as all others. Drafts grow best-first, so ranks are the order in which nodes are worth verifying. Its nodes have no tokens, and
 * stand side by side.
 */
final class DraftForecast implements Draft {
    private static final float LAST_WEIGHT = 0.5f;
    /** Of a node nothing is known about. */
    private static final float UNKNOWN = 0.5f;

    private final float[] probabilities = new float[DraftPolicy.BUDGET_MAX];
    private int size;

    DraftForecast() {
        Arrays.fill(probabilities, UNKNOWN);
    }

    /** What may be expected of a request's first draft: that of all before it. */
    DraftForecast(DraftForecast others) {
        System.arraycopy(others.probabilities, 0, probabilities, 0, probabilities.length);
    }

    /** Of a draft with this budget; the same object each time. */
    DraftForecast of(int budget) {
        size = budget;
        return this;
    }

    /** A draft with this budget is known now. */
    void learn(DeviceDraft draft, int budget) {
        for (int rank = 0; rank < budget; rank++) {
            float said = rank < draft.grown() ? draft.probabilityGrown(rank) : 0;
            probabilities[rank] += LAST_WEIGHT * (said - probabilities[rank]);
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int token(int node) {
        return 0;
    }

    @Override
    public int parent(int node) {
        return -1;
    }

    @Override
    public float probability(int node) {
        return probabilities[node];
    }

    @Override
    public SourceKind source(int node) {
        return null;
    }

    @Override
    public int matchLength(int node) {
        return 0;
    }
}
