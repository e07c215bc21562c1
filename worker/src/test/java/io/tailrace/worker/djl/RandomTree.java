package io.tailrace.worker.djl;

import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TreeInput;
import java.util.Random;

/** A tree of random shape and tokens: lines, stars and all between; sometimes of several roots. */
record RandomTree(int[] tokens, int[] parents) {
    static RandomTree of(Random random, int nodesMax, int vocabulary) {
        int nodes = 1 + random.nextInt(nodesMax);
        int reach = 1 + random.nextInt(nodesMax);
        int[] tokens = new int[nodes];
        int[] parents = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            tokens[node] = random.nextInt(vocabulary);
            parents[node] = Math.max(-1, node - 1 - random.nextInt(reach));
        }
        return new RandomTree(tokens, parents);
    }

    TreeInput on(ModelSequence sequence) {
        return TreeInput.tree(sequence, tokens, parents);
    }

    /** Nodes from a root down to this one. */
    int[] path(int node) {
        int depth = 0;
        for (int at = node; at >= 0; at = parents[at]) {
            depth++;
        }
        int[] path = new int[depth];
        for (int at = node; at >= 0; at = parents[at]) {
            path[--depth] = at;
        }
        return path;
    }

    int[] tokensOf(int[] path) {
        int[] found = new int[path.length];
        for (int place = 0; place < path.length; place++) {
            found[place] = tokens[path[place]];
        }
        return found;
    }
}
