package io.tailrace.worker.serve;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.engine.DraftSource;
import io.tailrace.worker.engine.Drafting;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import java.util.Arrays;
import java.util.List;

/**
 * {@code draft-model}: the target's first layers with its output head draft a line of tokens, each the likeliest behind the one
 * before; no further weights are needed (LayerSkip: Elhoushi et al., arXiv 2404.16710, without its training). A node's probability
 * is what the layers themselves give its path, which the budget's trust sets right.
 *
 * <p>Each drafted token is one pass of the layers, whose cache keeps of a draft what the target then says; each request drafts alone.
 */
final class LayerDrafts implements DraftSource {
    private static final int PREFILL_TOKENS = 256;

    private final String strategy;
    private final TargetModel layers;
    private final int tokensMax;
    private final float[] row;

    /**
     * Drafts of some layers.
     *
     * @param layers taken over
     * @param tokensMax longest draft
     */
    LayerDrafts(String strategy, TargetModel layers, int tokensMax) {
        this.strategy = strategy;
        this.layers = layers;
        this.tokensMax = tokensMax;
        this.row = new float[layers.vocabularySize()];
    }

    @Override
    public String strategy() {
        return strategy;
    }

    @Override
    public Drafting begin(String scope, int[] prompt) {
        return new LayerDrafting(prompt);
    }

    @Override
    public void close() {
        layers.close();
    }

    private final class LayerDrafting implements Drafting {
        private final ModelSequence sequence = layers.open();
        private final LineDraft line = new LineDraft();
        private int[] context;
        private int length;
        /** Tokens of the context in the cache; what lies behind them there was drafted. */
        private int told;

        LayerDrafting(int[] prompt) {
            context = prompt.clone();
            length = prompt.length;
        }

        @Override
        public boolean patient() {
            return true;
        }

        @Override
        public Draft draft(int budget) {
            forgetRejected();
            line.clear();
            int most = Math.min(Math.min(budget, tokensMax), layers.contextTokensMax() - length);
            if (most > 0) {
                grow(most);
            }
            return line;
        }

        /** Keeps of the last draft what the target has said since. */
        private void forgetRejected() {
            int passed = sequence.length() - told;
            int said = 0;
            while (said < passed && told + said < length && line.token(said) == context[told + said]) {
                said++;
            }
            sequence.truncate(told + said);
            told += said;
        }

        private void grow(int most) {
            while (told < length) {
                told += pass(Arrays.copyOfRange(context, told, Math.min(length, told + PREFILL_TOKENS)));
            }
            float path = add(row, 1);
            while (line.size() < most) {
                pass(new int[] {line.token(line.size() - 1)});
                path = add(row, path);
            }
        }

        /** Passes a line and reads the logits behind it. */
        private int pass(int[] tokens) {
            Logits logits = layers.forward(List.of(TreeInput.line(sequence, tokens, tokens.length - 1)));
            logits.copy(0, tokens.length - 1, row);
            sequence.commitAll();
            return tokens.length;
        }

        /** Drafts the likeliest token of a row; returns its path's probability. */
        private float add(float[] logits, float before) {
            int best = 0;
            for (int token = 1; token < logits.length; token++) {
                best = logits[token] > logits[best] ? token : best;
            }
            double sum = 0;
            for (float logit : logits) {
                sum += Math.exp(logit - logits[best]);
            }
            float path = (float) (before / sum);
            line.add(best, path);
            return path;
        }

        @Override
        public void verified(int[] tokens, int count) {
            if (length + count > context.length) {
                context = Arrays.copyOf(context, Math.max(length + count, 2 * context.length));
            }
            System.arraycopy(tokens, 0, context, length, count);
            length += count;
        }

        @Override
        public long snapshotVersion() {
            return 0;
        }

        @Override
        public void close() {
            sequence.close();
        }
    }
}
