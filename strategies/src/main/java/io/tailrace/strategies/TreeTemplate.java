package io.tailrace.strategies;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The published static tree (appendix of the paper): 80 nodes, each a path of ranks, so that [0, 2] is the third candidate
 * after the first candidate after the context's last token.
 *
 * <p>The paper has one tree, for one budget. For a smaller one this keeps its most promising nodes: a node costs the sum of
 * (rank + 1) along its path, as if each rank were half as likely as the one before, and the cheapest are kept, shorter paths
 * first among equals. A parent is always cheaper than its children.
 */
final class TreeTemplate {
    /** Candidates of a token that the tree uses. */
    static final int WIDTH = 8;

    static final int NONE = -1;

    /** How many children the nodes have, level by level, each level in order. */
    private static final int[][] CHILDREN = {
        {8},
        {8, 4, 3, 2, 1, 1, 1, 1},
        {8, 3, 2, 1, 1, 1, 1, 1, 2, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0},
        {5, 2, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0},
        {3, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0},
        {2, 0, 0, 1, 0, 0, 0, 0}
    };

    private final int[] parents;
    private final int[] ranks;
    private final int[] costs;

    private TreeTemplate(List<Node> nodes) {
        List<Node> kept = new ArrayList<>(nodes);
        kept.sort(Comparator.comparingInt(Node::cost).thenComparingInt(Node::depth));
        parents = new int[kept.size()];
        ranks = new int[kept.size()];
        costs = new int[kept.size()];
        for (int i = 0; i < parents.length; i++) {
            Node node = kept.get(i);
            parents[i] = kept.indexOf(node.parent);
            ranks[i] = node.rank;
            costs[i] = node.cost;
        }
    }

    static TreeTemplate published() {
        List<Node> nodes = new ArrayList<>();
        List<Node> level = new ArrayList<>();
        level.add(null);
        for (int[] children : CHILDREN) {
            List<Node> next = new ArrayList<>();
            for (int i = 0; i < children.length; i++) {
                for (int rank = 0; rank < children[i]; rank++) {
                    next.add(new Node(level.get(i), rank));
                }
            }
            nodes.addAll(next);
            level = next;
        }
        return new TreeTemplate(nodes);
    }

    /** How many nodes there are; the most promising come first, parents before children. */
    int size() {
        return parents.length;
    }

    /** The node's parent, or -1 for the context's last token. */
    int parent(int node) {
        return parents[node];
    }

    /** Which of its parent's candidates the node is. */
    int rank(int node) {
        return ranks[node];
    }

    int cost(int node) {
        return costs[node];
    }

    private static final class Node {
        final Node parent;
        final int rank;
        final int cost;
        final int depth;

        Node(Node parent, int rank) {
            this.parent = parent;
            this.rank = rank;
            this.cost = (parent == null ? 0 : parent.cost) + rank + 1;
            this.depth = parent == null ? 1 : parent.depth + 1;
        }

        int cost() {
            return cost;
        }

        int depth() {
            return depth;
        }
    }
}
