package io.tailrace.suffix.draft;

/**
 * What a lane's requests know together of the target's own candidates: the likeliest tokens that it gave after each token, the latest in
 * place of those before, and how much a rank among them is worth. One thread; nothing of it is published or leaves the lane.
 *
 * <p>Memory: 4 (k + 2) bytes a token met and 8 to 16 for finding it, of at most {@value #TOKENS_MAX} tokens: with k = 8 below 4 MB.
 */
public final class TargetRows {
    /** Most candidates after a token. */
    public static final int CANDIDATES_MAX = 8;

    /** Tokens met after so many others get no row. */
    static final int TOKENS_MAX = 1 << 16;

    private final int candidatesMax;
    private final AdjacencyMatrix matrix;
    private final RankWeights weights = new RankWeights();

    /**
     * Rows that know nothing yet.
     *
     * @param candidatesMax candidates kept after a token, 1 to {@value #CANDIDATES_MAX}
     */
    public TargetRows(int candidatesMax) {
        if (candidatesMax < 1 || candidatesMax > CANDIDATES_MAX) {
            throw new IllegalArgumentException(
                    "candidatesMax must be in [1, " + CANDIDATES_MAX + "], got " + candidatesMax);
        }
        this.candidatesMax = candidatesMax;
        this.matrix = new AdjacencyMatrix(candidatesMax);
    }

    /** Candidates kept after a token. */
    public int candidatesMax() {
        return candidatesMax;
    }

    /** Takes what the target found likeliest after a token, best first, in place of what it did before. */
    public void tell(int token, int[] likeliest, int count) {
        if (matrix.size() < TOKENS_MAX || matrix.row(token) != AdjacencyMatrix.NONE) {
            matrix.replace(token, likeliest, count);
        }
    }

    /** Whether a token has no row, and may have one. */
    public boolean lacks(int token) {
        return matrix.row(token) == AdjacencyMatrix.NONE && matrix.size() < TOKENS_MAX;
    }

    /** The rows. */
    public AdjacencyMatrix matrix() {
        return matrix;
    }

    /** What ranks are worth. */
    public RankWeights weights() {
        return weights;
    }
}
