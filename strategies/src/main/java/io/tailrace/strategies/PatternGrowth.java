package io.tailrace.strategies;

import io.tailrace.suffix.draft.DraftTree;
import java.util.Arrays;

/**
 * Grows a pattern's draft greedily from the counts of what followed it: the likeliest path is drafted first, and what
 * followed that is counted next (section 4.2 of the paper).
 */
final class PatternGrowth {
    private static final int NONE = ContinuationTrie.NONE;

    private final SuffixDecoding.Settings settings;
    private final PatternPlaces places;
    private final ContinuationTrie trie;
    private final PathQueue queue;
    /** What was pushed, by the number that the queue knows it by. */
    private int[] nodes = new int[256];

    private int[] parents = new int[256];
    private float[] probabilities = new float[256];
    private int pushed;

    PatternGrowth(SuffixDecoding.Settings settings, PatternPlaces places, ContinuationTrie trie) {
        this.settings = settings;
        this.places = places;
        this.trie = trie;
        this.queue = new PathQueue(settings.firstFoundFirst());
    }

    /** No draft of this pattern scores more: none of its nodes is likelier than its likeliest first token. */
    float scoreMax(long patternCount, int tokensMax) {
        return tokensMax * ((float) trie.mostAfterPattern() / patternCount);
    }

    /**
     * Grows the pattern's draft into an empty tree.
     *
     * @param patternCount COUNT of the pattern, endings included
     * @return its SCORE: the sum of its nodes' probabilities
     */
    float grow(int patternLength, long patternCount, int tokensMax, DraftTree into) {
        int depthMax = settings.depthMax() - patternLength;
        queue.clear();
        pushed = 0;
        push(ContinuationTrie.ROOT, NONE, 1, patternCount);
        float score = 0;
        while (into.size() < tokensMax && !queue.isEmpty()) {
            int entry = queue.pop();
            int node = nodes[entry];
            float probability = probabilities[entry];
            score += probability;
            int source = places.source(trie.firstPlace(node));
            int drafted = into.add(trie.token(node), parents[entry], probability, source, patternLength);
            if (trie.depth(node) < depthMax) {
                trie.settle(node);
                push(node, drafted, probability, trie.count(node));
            }
        }
        return score;
    }

    /** Puts the children that are likely enough into the queue; of a path only the likeliest. */
    private void push(int parent, int drafted, float parentProbability, long parentCount) {
        int likeliest = NONE;
        for (int child = trie.firstChild(parent); child != NONE; child = trie.nextSibling(child)) {
            if (settings.tree()) {
                pushIfLikely(child, drafted, parentProbability * trie.count(child) / parentCount);
            } else if (likeliest == NONE || trie.count(child) > trie.count(likeliest)) {
                likeliest = child;
            }
        }
        if (likeliest != NONE) {
            pushIfLikely(likeliest, drafted, parentProbability * trie.count(likeliest) / parentCount);
        }
    }

    private void pushIfLikely(int node, int drafted, float probability) {
        if (probability < settings.pathProbabilityMin()) {
            return;
        }
        if (pushed == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * pushed);
            parents = Arrays.copyOf(parents, 2 * pushed);
            probabilities = Arrays.copyOf(probabilities, 2 * pushed);
        }
        nodes[pushed] = node;
        parents[pushed] = drafted;
        probabilities[pushed] = probability;
        queue.push(probability, pushed++);
    }
}
