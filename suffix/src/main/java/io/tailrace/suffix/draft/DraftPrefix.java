package io.tailrace.suffix.draft;

/** The first nodes of a draft: a tree again, since parents come before children. Reusable; valid as long as the draft. */
public final class DraftPrefix implements Draft {
    private Draft whole;
    private int size;

    /** Of no draft yet. */
    public DraftPrefix() {}

    /**
     * Cuts a draft.
     *
     * @param draft not changed
     * @param nodes how many of its nodes stay, the first ones
     * @return this, valid until the next cut
     */
    public Draft of(Draft draft, int nodes) {
        whole = draft;
        size = nodes;
        return this;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int token(int node) {
        return whole.token(node);
    }

    @Override
    public int parent(int node) {
        return whole.parent(node);
    }

    @Override
    public float probability(int node) {
        return whole.probability(node);
    }

    @Override
    public SourceKind source(int node) {
        return whole.source(node);
    }

    @Override
    public int matchLength(int node) {
        return whole.matchLength(node);
    }
}
