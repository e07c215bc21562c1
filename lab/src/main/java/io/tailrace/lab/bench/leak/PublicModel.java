package io.tailrace.lab.bench.leak;

import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TreeInput;
import io.tailrace.worker.sampling.SamplingParameters;
import io.tailrace.worker.sampling.TokenSampler;
import java.util.Arrays;
import java.util.List;

/** The attacker's own copy of the served model, as anybody can have whose model is public. One thread. */
final class PublicModel implements AutoCloseable {
    private final LanguageModel model;

    /**
     * A copy.
     *
     * @param model taken over
     */
    PublicModel(LanguageModel model) {
        this.model = model;
    }

    /** The likeliest tokens behind a context, best first. */
    int[] likeliest(int[] context, int count) {
        int[] tokens = new int[count];
        try (ModelSequence sequence = model.target().open()) {
            last(sequence, context).top(0, context.length - 1, tokens, new float[count]);
        }
        return tokens;
    }

    /** A context with so many tokens behind it as the model would say them at temperature 1. */
    int[] continued(int[] context, int count, long seed) {
        SamplingParameters sampling = new SamplingParameters(1, 0, 1, seed);
        TokenSampler sampler = new TokenSampler();
        float[] row = new float[model.target().vocabularySize()];
        int[] longer = Arrays.copyOf(context, context.length + count);
        for (int length = context.length; length < longer.length; length++) {
            int[] known = Arrays.copyOf(longer, length);
            try (ModelSequence sequence = model.target().open()) {
                last(sequence, known).copy(0, length - 1, row);
            }
            for (int end : model.endTokens()) {
                row[end] = Float.NEGATIVE_INFINITY;
            }
            longer[length] = sampler.sample(sampling, row, row.length, length - context.length);
        }
        return longer;
    }

    @Override
    public void close() {
        model.close();
    }

    private Logits last(ModelSequence sequence, int[] context) {
        return model.target().forward(List.of(TreeInput.line(sequence, context, context.length - 1)));
    }
}
