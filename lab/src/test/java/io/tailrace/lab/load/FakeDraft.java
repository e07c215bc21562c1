package io.tailrace.lab.load;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.SourceKind;
import java.util.ArrayList;
import java.util.List;

/** A draft written by hand. */
public final class FakeDraft implements Draft {
    private final List<int[]> nodes = new ArrayList<>();
    private final List<SourceKind> sources = new ArrayList<>();

    /** Adds a node; returns this. */
    public FakeDraft node(int parent, int token, SourceKind source, int matchLength) {
        nodes.add(new int[] {parent, token, matchLength});
        sources.add(source);
        return this;
    }

    public FakeDraft node(int parent, int token) {
        return node(parent, token, SourceKind.OWN, 1);
    }

    @Override
    public int size() {
        return nodes.size();
    }

    @Override
    public int token(int node) {
        return nodes.get(node)[1];
    }

    @Override
    public int parent(int node) {
        return nodes.get(node)[0];
    }

    @Override
    public float probability(int node) {
        return 0.5f;
    }

    @Override
    public SourceKind source(int node) {
        return sources.get(node);
    }

    @Override
    public int matchLength(int node) {
        return nodes.get(node)[2];
    }
}
