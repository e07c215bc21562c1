package io.tailrace.suffix.draft.strategy.suffixdecoding;

import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.Frontier;
import java.util.Arrays;

/**
 * Grows the drafts of one tree's patterns, longest pattern first.
 *
 * <p>The suffix tree is not built: a node below the pattern is the set of the pattern's places whose text goes on along its
 * path, and its count is their number. What follows the pattern itself is counted once, each shorter pattern adding its
 * places to those of the longer ones; deeper nodes are counted where growth comes to them.
 *
 * <p>Cost: each place is read once, and once more for each drafted node it goes along.
 */
final class PatternGrowth {
    private static final int NONE = -1;

    private final PatternPlaces places;
    private final TokenTable children = new TokenTable();
    private final TokenTable rootChildren = new TokenTable();
    private final Frontier frontier = new Frontier();
    private Nodes nodes = new Nodes(256);
    /** Chains of places that go on alike: those of the first tokens last from pattern to pattern, deeper ones do not. */
    private int[] firstChains = new int[256];

    private int[] deepChains = new int[256];
    private int included;
    private int rootNodes;
    private long mostCopies;

    PatternGrowth(PatternPlaces places) {
        this.places = places;
    }

    /** Starts with the longest pattern; no places are included yet. */
    void begin() {
        rootChildren.clear();
        nodes.size = 0;
        included = 0;
        rootNodes = 0;
        mostCopies = 0;
    }

    /** Takes the first {@code count} places as those of the pattern; returns how many copies the added ones stand for. */
    long include(int count) {
        if (count > firstChains.length) {
            firstChains = Arrays.copyOf(firstChains, Math.max(count, 2 * firstChains.length));
            deepChains = Arrays.copyOf(deepChains, firstChains.length);
        }
        nodes.size = rootNodes;
        long added = 0;
        for (; included < count; included++) {
            int copies = places.copies(included);
            added += copies;
            int node = join(rootChildren, firstChains, included, places.token(included, 1), copies);
            mostCopies = Math.max(mostCopies, nodes.copies[node]);
        }
        rootNodes = nodes.size;
        return added;
    }

    /** No draft of this pattern scores more: none of its nodes is likelier than its likeliest first token. */
    float scoreMax(long patternCount, int tokensMax) {
        return patternCount == 0 ? 0 : tokensMax * ((float) mostCopies / patternCount);
    }

    /**
     * Grows the pattern's draft into an empty tree.
     *
     * @param patternCount COUNT of the pattern, endings included
     * @return its SCORE: the sum of its nodes' probabilities
     */
    float grow(SuffixDecodingSettings settings, int patternLength, long patternCount, int tokensMax, DraftTree into) {
        nodes.size = rootNodes;
        frontier.clear();
        push(0, rootNodes, 1, patternCount, settings);
        int depthMax = settings.depthMax() - patternLength;
        float score = 0;
        while (into.size() < tokensMax && !frontier.isEmpty()) {
            int node = frontier.pop();
            score += nodes.probability[node];
            int drafted = into.add(
                    nodes.token[node],
                    nodes.parent[node],
                    nodes.probability[node],
                    places.source(nodes.firstPlace[node]),
                    patternLength);
            if (nodes.depth[node] < depthMax) {
                expand(node, drafted, settings);
            }
        }
        return score;
    }

    private void expand(int node, int drafted, SuffixDecodingSettings settings) {
        int depth = nodes.depth[node];
        int[] chains = depth == 1 ? firstChains : deepChains;
        int first = nodes.size;
        children.clear();
        int place = nodes.firstPlace[node];
        while (place != NONE) {
            int following = chains[place];
            int token = places.token(place, depth + 1);
            if (token >= 0) {
                int child = join(children, deepChains, place, token, places.copies(place));
                nodes.parent[child] = drafted;
                nodes.depth[child] = depth + 1;
            }
            place = following;
        }
        push(first, nodes.size, nodes.probability[node], nodes.copies[node], settings);
    }

    /** Adds a place to the node of its token, which is made if there is none. */
    private int join(TokenTable table, int[] chains, int place, int token, int copies) {
        chains[place] = NONE;
        int node = table.get(token, NONE);
        if (node == NONE) {
            node = nodes.add(token, place);
            table.put(token, node, NONE);
        } else {
            chains[nodes.lastPlace[node]] = place;
        }
        nodes.lastPlace[node] = place;
        nodes.copies[node] += copies;
        return node;
    }

    /** Puts the siblings that are likely enough on the frontier; of a path only the likeliest. */
    private void push(int from, int to, float parentProbability, long parentCount, SuffixDecodingSettings settings) {
        int likeliest = NONE;
        for (int node = from; node < to; node++) {
            nodes.probability[node] = parentProbability * nodes.copies[node] / parentCount;
            if (settings.tree()) {
                pushIfLikely(node, settings);
            } else if (likeliest == NONE || nodes.copies[node] > nodes.copies[likeliest]) {
                likeliest = node;
            }
        }
        if (likeliest != NONE) {
            pushIfLikely(likeliest, settings);
        }
    }

    private void pushIfLikely(int node, SuffixDecodingSettings settings) {
        if (nodes.probability[node] >= settings.pathProbabilityMin()) {
            frontier.push(nodes.probability[node], node);
        }
    }

    /** Nodes as flat arrays. */
    private static final class Nodes {
        int[] token;
        int[] parent;
        int[] depth;
        int[] firstPlace;
        int[] lastPlace;
        long[] copies;
        float[] probability;
        int size;

        Nodes(int capacity) {
            token = new int[capacity];
            parent = new int[capacity];
            depth = new int[capacity];
            firstPlace = new int[capacity];
            lastPlace = new int[capacity];
            copies = new long[capacity];
            probability = new float[capacity];
        }

        /** A first token after the pattern, with its first place and no copies yet. */
        int add(int nodeToken, int place) {
            if (size == token.length) {
                grow();
            }
            token[size] = nodeToken;
            parent[size] = NONE;
            depth[size] = 1;
            firstPlace[size] = place;
            copies[size] = 0;
            return size++;
        }

        private void grow() {
            int capacity = 2 * size;
            token = Arrays.copyOf(token, capacity);
            parent = Arrays.copyOf(parent, capacity);
            depth = Arrays.copyOf(depth, capacity);
            firstPlace = Arrays.copyOf(firstPlace, capacity);
            lastPlace = Arrays.copyOf(lastPlace, capacity);
            copies = Arrays.copyOf(copies, capacity);
            probability = Arrays.copyOf(probability, capacity);
        }
    }
}
