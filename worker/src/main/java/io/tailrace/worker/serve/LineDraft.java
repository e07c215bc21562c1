package io.tailrace.worker.serve;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.SourceKind;
import java.util.Objects;

/** A draft model's own proposal: one line, without sources. */
final class LineDraft implements Draft {
    private final int[] tokens = new int[DraftPolicy.BUDGET_MAX];
    private final float[] probabilities = new float[DraftPolicy.BUDGET_MAX];
    private int size;

    void clear() {
        size = 0;
    }

    void add(int token, float probability) {
        tokens[size] = token;
        probabilities[size++] = probability;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int token(int node) {
        return tokens[Objects.checkIndex(node, size)];
    }

    @Override
    public int parent(int node) {
        return Objects.checkIndex(node, size) - 1;
    }

    @Override
    public float probability(int node) {
        return probabilities[Objects.checkIndex(node, size)];
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
