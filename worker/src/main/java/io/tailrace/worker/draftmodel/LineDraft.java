package io.tailrace.worker.draftmodel;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.SourceKind;
import java.util.Arrays;
import java.util.Objects;

/** A draft model's own proposal: one line, without sources. */
final class LineDraft implements Draft {
    private int[] tokens = new int[8];
    private float[] probabilities = new float[8];
    private int size;

    void clear() {
        size = 0;
    }

    void add(int token, float probability) {
        if (size == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * size);
            probabilities = Arrays.copyOf(probabilities, 2 * size);
        }
        tokens[size] = token;
        probabilities[size++] = probability;
    }

    /** The path's probability so far. */
    float path() {
        return size == 0 ? 1 : probabilities[size - 1];
    }

    int last() {
        return token(size - 1);
    }

    /** Takes over the first tokens of another. */
    void copy(LineDraft other, int most) {
        clear();
        for (int node = 0; node < Math.min(most, other.size); node++) {
            add(other.tokens[node], other.probabilities[node]);
        }
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
