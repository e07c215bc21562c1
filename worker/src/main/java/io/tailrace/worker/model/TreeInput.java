package io.tailrace.worker.model;

/**
 * What one pass appends to one sequence: a tree of tokens behind the committed ones. Each node attends to the committed
 * tokens, to its ancestors and to itself; its position is the committed length plus its depth.
 *
 * @param sequence an open sequence of the model
 * @param tokens token ids, at least one
 * @param parents a node's parent among these tokens, before it; -1: it follows the last committed token
 * @param rowsFrom logits are wanted of this node and all later ones; {@code tokens.length}: of none
 */
public record TreeInput(ModelSequence sequence, int[] tokens, int[] parents, int rowsFrom) {
    public TreeInput {
        require(tokens.length > 0, "a pass appends at least one token a sequence");
        require(
                parents.length == tokens.length,
                "%d tokens need as many parents, got %d".formatted(tokens.length, parents.length));
        require(
                rowsFrom >= 0 && rowsFrom <= tokens.length,
                "rowsFrom must be 0 to %d, got %d".formatted(tokens.length, rowsFrom));
        for (int node = 0; node < parents.length; node++) {
            require(
                    parents[node] >= -1 && parents[node] < node,
                    "node %d must come after its parent, got parent %d".formatted(node, parents[node]));
        }
    }

    /** A tree with the logits of every node. */
    public static TreeInput tree(ModelSequence sequence, int[] tokens, int[] parents) {
        return new TreeInput(sequence, tokens, parents, 0);
    }

    /** A line of tokens, each behind the one before it. */
    public static TreeInput line(ModelSequence sequence, int[] tokens, int rowsFrom) {
        int[] parents = new int[tokens.length];
        for (int node = 0; node < parents.length; node++) {
            parents[node] = node - 1;
        }
        return new TreeInput(sequence, tokens, parents, rowsFrom);
    }

    /** Nodes of the tree. */
    public int size() {
        return tokens.length;
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
