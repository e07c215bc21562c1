package io.tailrace.suffix.draft;

/** A tree of proposed tokens. Node i's parent comes before i; -1 is the context's end. Read-only view, valid until the next draft. */
public interface Draft {
    int size();

    int token(int node);

    int parent(int node);

    /** Probability of the whole path to the node, 0 to 1. */
    float probability(int node);

    /** Source of the node's longest-matching voter; null where none voted: a draft model's own proposal, or the target's. */
    SourceKind source(int node);

    /** Match length of that voter, at least 1; 0 where none voted. */
    int matchLength(int node);
}
