package io.tailrace.strategies;

import io.tailrace.suffix.draft.DraftTree;
import java.util.Arrays;

/**
 * The tree that an automaton's states span from a match on: of each node's successors only the likeliest few, by how many end
 * positions they share, and the likeliest paths first.
 */
final class SuccessorTree {
    private static final int NONE = ContinuationTrie.NONE;

    private final PatternPlaces places;
    private final ContinuationTrie trie;
    private final PathQueue queue = new PathQueue(true);
    private final int[] likeliest;
    private int[] nodes = new int[256];
    private int[] parents = new int[256];
    private float[] probabilities = new float[256];
    private int pushed;

    SuccessorTree(PatternPlaces places, int successorsMax) {
        this.places = places;
        this.trie = new ContinuationTrie(places);
        this.likeliest = new int[successorsMax];
    }

    /** Grows the tree below the match of so many tokens. */
    void grow(int matchLength, int tokensMax, DraftTree into) {
        trie.clear();
        trie.include(places.count(matchLength));
        queue.clear();
        pushed = 0;
        push(ContinuationTrie.ROOT, NONE, 1);
        while (into.size() < tokensMax && !queue.isEmpty()) {
            int entry = queue.pop();
            int node = nodes[entry];
            int source = places.source(trie.firstPlace(node));
            int drafted = into.add(trie.token(node), parents[entry], probabilities[entry], source, matchLength);
            trie.settle(node);
            push(node, drafted, probabilities[entry]);
        }
    }

    private void push(int parent, int drafted, float parentProbability) {
        int kept = 0;
        for (int child = trie.firstChild(parent); child != NONE; child = trie.nextSibling(child)) {
            kept = keep(child, kept);
        }
        for (int i = 0; i < kept; i++) {
            push(likeliest[i], drafted, parentProbability * trie.count(likeliest[i]) / trie.count(parent), pushed);
        }
    }

    /** Keeps the likeliest siblings in order, the first found first among equals; returns how many there are. */
    private int keep(int child, int kept) {
        int at = kept;
        while (at > 0 && trie.count(likeliest[at - 1]) < trie.count(child)) {
            at--;
        }
        if (at == likeliest.length) {
            return kept;
        }
        int now = Math.min(kept + 1, likeliest.length);
        System.arraycopy(likeliest, at, likeliest, at + 1, now - at - 1);
        likeliest[at] = child;
        return now;
    }

    private void push(int node, int drafted, float probability, int entry) {
        if (entry == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * entry);
            parents = Arrays.copyOf(parents, 2 * entry);
            probabilities = Arrays.copyOf(probabilities, 2 * entry);
        }
        nodes[entry] = node;
        parents[entry] = drafted;
        probabilities[entry] = probability;
        queue.push(probability, entry);
        pushed++;
    }
}
