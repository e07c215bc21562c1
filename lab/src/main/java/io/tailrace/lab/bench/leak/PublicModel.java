package io.tailrace.lab.bench.leak;

import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TreeInput;
import io.tailrace.worker.sampling.SamplingParameters;
import io.tailrace.worker.sampling.TokenSampler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The attacker's own copy of the served model, as anybody can have whose model is public. One thread. */
final class PublicModel implements AutoCloseable {
    /** Seeds that are looked through for a token. */
    private static final long SEEDS_MAX = 1_000;

    private final LanguageModel model;
    private final TokenSampler sampler = new TokenSampler();

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

    /**
     * Seeds with which the model says certain tokens next, at temperature 1.
     *
     * @return for each token that was found: the token, then as many seeds as there are tries
     */
    List<long[]> seedsOf(int[] context, int[] tokens, int tries) {
        float[] row = new float[model.target().vocabularySize()];
        try (ModelSequence sequence = model.target().open()) {
            last(sequence, context).copy(0, context.length - 1, row);
        }
        List<long[]> found = new ArrayList<>();
        int[] counts = new int[tokens.length];
        for (int token : tokens) {
            long[] seeds = new long[tries + 1];
            seeds[0] = token;
            found.add(seeds);
        }
        for (long seed = 0; seed < SEEDS_MAX; seed++) {
            int said = sampler.sample(new SamplingParameters(1, 0, 1, seed), row, row.length, 0);
            for (int i = 0; i < tokens.length; i++) {
                if (said == tokens[i] && counts[i] < tries) {
                    found.get(i)[++counts[i]] = seed;
                }
            }
        }
        return IntStream.range(0, tokens.length)
                .filter(i -> counts[i] == tries)
                .mapToObj(found::get)
                .toList();
    }

    /** A context with so many tokens behind it as the model would say them at temperature 1. */
    int[] continued(int[] context, int count, long seed) {
        SamplingParameters sampling = new SamplingParameters(1, 0, 1, seed);
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
