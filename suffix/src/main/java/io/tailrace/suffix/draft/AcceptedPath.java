package io.tailrace.suffix.draft;

/**
 * Which path of a draft the truth follows: ask what comes at the context's end; if a child carries it, go there and ask again; else that
 * token is the truth's own, and the path has ended. The truth is whatever the target says, or said: since it never looks at the draft, what
 * is emitted is that of plain decoding whatever was drafted. For a target that samples this is the rule of speculative sampling with drafts
 * that are point masses (Leviathan et al. 2023; SpecInfer's tree form), for a recorded answer the simulated verifier of SuffixDecoding
 * (arXiv 2411.04975, section 5.1).
 *
 * <p>Children come after their parents, so one pass over the tree finds the path. Reused from draft to draft; allocates nothing. One thread.
 */
public final class AcceptedPath {
    /** The context's end, as a node. */
    public static final int ROOT = -1;
    /** No token: the truth has ended. */
    public static final int NONE = -1;

    private final int[] nodes = new int[DraftPolicy.BUDGET_MAX];
    private final int[] tokens = new int[DraftPolicy.BUDGET_MAX + 1];
    private final Recorded recorded = new Recorded();
    private int accepted;
    private int length;

    /** None yet. */
    public AcceptedPath() {}

    /** What really comes. Asked once for each place of the path, in their order. */
    public interface Truth {
        /**
         * The token that follows a place of the draft.
         *
         * @param node a node of the draft, or {@link #ROOT}
         * @param depth accepted tokens before it
         * @return the token, or {@link #NONE} behind the end
         */
        int after(int node, int depth);
    }

    /**
     * Follows the truth down a draft.
     *
     * @param draft any
     * @param truth asked from the context's end on
     * @return how many of the draft's tokens agree with it
     */
    public int walk(Draft draft, Truth truth) {
        accepted = 0;
        length = 0;
        int at = ROOT;
        int token = truth.after(ROOT, 0);
        for (int node = 0; node < draft.size() && token != NONE; node++) {
            if (draft.parent(node) == at && draft.token(node) == token) {
                nodes[accepted++] = node;
                tokens[length++] = token;
                at = node;
                token = truth.after(node, accepted);
            }
        }
        if (token != NONE) {
            tokens[length++] = token;
        }
        return accepted;
    }

    /**
     * Follows a text that is known down a draft.
     *
     * @param draft any
     * @param truth the text
     * @param at position that the draft begins at
     * @return how many of the draft's tokens agree with the text
     */
    public int walk(Draft draft, int[] truth, int at) {
        recorded.text = truth;
        recorded.at = at;
        return walk(draft, recorded);
    }

    /**
     * Finds a child of a node.
     *
     * @param draft any
     * @param parent a node of the draft, or {@link #ROOT}
     * @param token what the child carries
     * @return the child, or {@link #NONE}
     */
    public static int child(Draft draft, int parent, int token) {
        for (int node = parent + 1; node < draft.size(); node++) {
            if (draft.parent(node) == parent && draft.token(node) == token) {
                return node;
            }
        }
        return NONE;
    }

    /** {@return how many draft tokens agree with the truth} */
    public int accepted() {
        return accepted;
    }

    /**
     * Tells the path's nodes.
     *
     * @param depth 0 to {@code accepted() - 1}
     * @return the node accepted there
     */
    public int node(int depth) {
        return nodes[depth];
    }

    /** {@return the last accepted node, or {@link #ROOT}} */
    public int end() {
        return accepted == 0 ? ROOT : nodes[accepted - 1];
    }

    /** {@return the truth's own token behind the path, or {@link #NONE} if it ended within the draft} */
    public int ownToken() {
        return length > accepted ? tokens[accepted] : NONE;
    }

    /** {@return the path's tokens, then the truth's own if there is one; valid up to {@link #length} and until the next walk} */
    public int[] tokens() {
        return tokens;
    }

    /** {@return how many tokens there are} */
    public int length() {
        return length;
    }

    private static final class Recorded implements Truth {
        private int[] text;
        private int at;

        @Override
        public int after(int node, int depth) {
            return at + depth < text.length ? text[at + depth] : NONE;
        }
    }
}
