package io.tailrace.suffix.draft;

/** A tree of proposed tokens. Node i's parent comes before i; -1 is the context's end. Read-only view, valid until the next draft. */
public interface Draft {
    /** {@return how many nodes there are} */
    int size();

    /**
     * The token it proposes.
     *
     * @param node its number, from 0
     * @return a token id
     */
    int token(int node);

    /**
     * The node before it on its path.
     *
     * @param node its number, from 0
     * @return an earlier node, or -1 for the context's end
     */
    int parent(int node);

    /**
     * Probability of the whole path to the node, 0 to 1.
     *
     * @param node its number, from 0
     * @return 0 to 1
     */
    float probability(int node);

    /**
     * Source of the node's longest-matching voter; null where none voted: a draft model's own proposal, or the target's.
     *
     * @param node its number, from 0
     * @return the kind, or null
     */
    SourceKind source(int node);

    /**
     * Match length of that voter, at least 1; 0 where none voted.
     *
     * @param node its number, from 0
     * @return tokens
     */
    int matchLength(int node);

    /**
     * Whether all its tokens are of a vocabulary.
     *
     * @param vocabularySize ids of the vocabulary are from 0 to below it
     * @return false if one is not
     */
    default boolean isWithin(int vocabularySize) {
        for (int node = 0; node < size(); node++) {
            if (token(node) < 0 || token(node) >= vocabularySize) {
                return false;
            }
        }
        return true;
    }
}
