package io.tailrace.worker.engine;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.worker.model.HashModel;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Drafts trees of every shape: some nodes are what the model will say, some are not; sometimes nothing. */
final class RandomDrafts implements DraftSource {
    private final HashModel model;
    private final SplittableRandom random;
    private final boolean linear;

    RandomDrafts(HashModel model, long seed, boolean linear) {
        this.model = model;
        this.random = new SplittableRandom(seed);
        this.linear = linear;
    }

    @Override
    public String strategy() {
        return "random";
    }

    @Override
    public Drafting begin(String scope, int[] prompt) {
        return new Random(prompt);
    }

    private final class Random implements Drafting {
        private final DraftTree tree = new DraftTree();
        private final boolean patient = random.nextBoolean();
        private int[] context;

        Random(int[] prompt) {
            context = prompt.clone();
        }

        @Override
        public boolean patient() {
            return patient;
        }

        @Override
        public Draft draft(int budget) {
            tree.clear();
            int size = random.nextInt(budget + 1);
            int[][] contexts = new int[size][];
            for (int node = 0; node < size; node++) {
                int parent = linear || random.nextInt(3) > 0 ? node - 1 : random.nextInt(-1, node);
                int[] before = parent < 0 ? context : contexts[parent];
                int token = random.nextInt(4) > 0 ? likeliest(before) : random.nextInt(model.vocabularySize());
                contexts[node] = Arrays.copyOf(before, before.length + 1);
                contexts[node][before.length] = token;
                tree.add(token, parent, 1f / (node + 1), SourceKind.OWN.index(), 1);
            }
            return tree;
        }

        private int likeliest(int[] before) {
            float[] logits = model.logits(before, before.length);
            int best = 0;
            for (int token = 1; token < logits.length; token++) {
                best = logits[token] > logits[best] ? token : best;
            }
            return best;
        }

        @Override
        public void verified(int[] tokens, int count) {
            int length = context.length;
            context = Arrays.copyOf(context, length + count);
            System.arraycopy(tokens, 0, context, length, count);
        }

        @Override
        public long snapshotVersion() {
            return 0;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
