package io.tailrace.suffix.draft;

/** The drafted nodes of whoever grows a draft, as flat arrays that are reused from draft to draft. */
public final class DraftTree implements Draft {
    /** In place of a source's number: none names the node. */
    public static final int NO_SOURCE = -1;

    private static final SourceKind[] KINDS = SourceKind.values();

    private final int[] tokens = new int[DraftPolicy.BUDGET_MAX];
    private final int[] parents = new int[DraftPolicy.BUDGET_MAX];
    private final float[] probabilities = new float[DraftPolicy.BUDGET_MAX];
    private final int[] depths = new int[DraftPolicy.BUDGET_MAX];
    private final int[] sources = new int[DraftPolicy.BUDGET_MAX];
    private final int[] matchLengths = new int[DraftPolicy.BUDGET_MAX];
    private int size;

    /** A tree without nodes. */
    public DraftTree() {}

    /** Forgets all nodes. */
    public void clear() {
        size = 0;
    }

    /**
     * Adds a node.
     *
     * @param token a token id
     * @param parent an earlier node, or -1 for the context's end
     * @param probability of the whole path to it
     * @param source {@link SourceKind#index()} of what proposes it, or {@link #NO_SOURCE}
     * @param matchLength how many tokens its source matches; 0 where none names it
     * @return its number
     * @throws IndexOutOfBoundsException above {@link DraftPolicy#BUDGET_MAX} nodes
     */
    public int add(int token, int parent, float probability, int source, int matchLength) {
        tokens[size] = token;
        parents[size] = parent;
        probabilities[size] = probability;
        depths[size] = parent < 0 ? 1 : depths[parent] + 1;
        sources[size] = source;
        matchLengths[size] = matchLength;
        return size++;
    }

    /** How many draft tokens the path to the node has, itself included. */
    int depth(int node) {
        return depths[node];
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int token(int node) {
        return tokens[checked(node)];
    }

    @Override
    public int parent(int node) {
        return parents[checked(node)];
    }

    @Override
    public float probability(int node) {
        return probabilities[checked(node)];
    }

    @Override
    public SourceKind source(int node) {
        int source = sources[checked(node)];
        return source == NO_SOURCE ? null : KINDS[source];
    }

    @Override
    public int matchLength(int node) {
        return matchLengths[checked(node)];
    }

    private int checked(int node) {
        if (node < 0 || node >= size) {
            throw new IndexOutOfBoundsException("node must be in [0, " + size + "), got " + node);
        }
        return node;
    }
}
