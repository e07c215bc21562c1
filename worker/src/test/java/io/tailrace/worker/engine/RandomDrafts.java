package io.tailrace.worker.engine;

import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
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
    public RequestDrafts begin(String scope, int[] prompt) {
        return new Random(prompt);
    }

    @Override
    public void draft(Step step) {
        for (int place = 0; place < step.size(); place++) {
            step.put(place, step.request(place, Random.class).draft(step.budget(place)), 1_000);
        }
    }

    @Override
    public void verified(Step step, StepOutcomes outcomes) {
        for (int place = 0; place < step.size(); place++) {
            step.request(place, Random.class).verified(outcomes.tokens(place), outcomes.count(place));
        }
    }

    @Override
    public void close() {
        // Holds nothing.
    }

    private final class Random implements RequestDrafts {
        private final DraftTree tree = new DraftTree();
        private int[] context;

        Random(int[] prompt) {
            context = prompt.clone();
        }

        private Draft draft(int budget) {
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

        private void verified(int[] tokens, int count) {
            int length = context.length;
            context = Arrays.copyOf(context, length + count);
            System.arraycopy(tokens, 0, context, length, count);
        }

        @Override
        public DraftLearning learned() {
            return DraftLearning.NONE;
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
