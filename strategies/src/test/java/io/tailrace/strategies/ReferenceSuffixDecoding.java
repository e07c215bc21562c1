package io.tailrace.strategies;

import io.tailrace.testkit.NaiveIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The dull twin: counts every string by looking at every position of every document. The tree of a pattern is the likeliest
 * nodes that there are; which of equally likely ones does not change their probabilities.
 */
final class ReferenceSuffixDecoding {
    /** A node of a speculation tree: the pattern with its path, and the path's probability. */
    private record Node(int[] string, double probability) {}

    private final SuffixDecoding.Settings settings;
    private final NaiveIndex tree;
    private final int[] context;

    ReferenceSuffixDecoding(SuffixDecoding.Settings settings, NaiveIndex tree, int[] context) {
        this.settings = settings;
        this.tree = tree;
        this.context = context;
    }

    int patternMax() {
        return Math.min(settings.depthMax(), context.length) - 1;
    }

    int[] pattern(int length) {
        return Arrays.copyOfRange(context, context.length - length, context.length);
    }

    /** Probabilities of the nodes drafted below the pattern of so many tokens, likeliest first. */
    List<Double> treeProbabilities(int length, int budget) {
        List<Double> drafted = new ArrayList<>();
        List<Node> open = new ArrayList<>(likelyChildren(new Node(pattern(length), 1)));
        while (drafted.size() < settings.tokensMax(length, budget) && !open.isEmpty()) {
            open.sort(Comparator.comparingDouble(node -> -node.probability));
            Node node = open.remove(0);
            drafted.add(node.probability);
            open.addAll(likelyChildren(node));
        }
        return drafted;
    }

    /** Probabilities along the likeliest path below the pattern; ties may be followed either way: all of those paths. */
    List<List<Double>> pathProbabilities(int length, int budget) {
        List<List<Double>> paths = new ArrayList<>();
        follow(new Node(pattern(length), 1), settings.tokensMax(length, budget), new ArrayList<>(), paths);
        return paths;
    }

    private void follow(Node node, int tokensLeft, List<Double> path, List<List<Double>> paths) {
        List<Node> children = tokensLeft == 0 ? List.of() : likelyChildren(node);
        double most = children.stream().mapToDouble(Node::probability).max().orElse(-1);
        if (children.isEmpty()) {
            paths.add(path);
        }
        for (Node child : children) {
            if (child.probability == most) {
                List<Double> longer = new ArrayList<>(path);
                longer.add(child.probability);
                follow(child, tokensLeft - 1, longer, paths);
            }
        }
    }

    private List<Node> likelyChildren(Node node) {
        List<Node> children = new ArrayList<>();
        if (node.string.length == settings.depthMax()) {
            return children;
        }
        double count = tree.count(node.string);
        for (Map.Entry<Integer, Long> next : tree.nextTokenCounts(node.string).entrySet()) {
            double probability = node.probability * next.getValue() / count;
            if (probability >= settings.pathProbabilityMin() - 1e-6) {
                int[] string = Arrays.copyOf(node.string, node.string.length + 1);
                string[node.string.length] = next.getKey();
                children.add(new Node(string, probability));
            }
        }
        return children;
    }

    /** COUNT(string with token) / COUNT(string). */
    double share(int[] string, int token) {
        int[] longer = Arrays.copyOf(string, string.length + 1);
        longer[string.length] = token;
        return (double) tree.count(longer) / tree.count(string);
    }

    static double score(List<Double> probabilities) {
        return probabilities.stream().mapToDouble(Double::doubleValue).sum();
    }
}
