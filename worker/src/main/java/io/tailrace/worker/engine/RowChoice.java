package io.tailrace.worker.engine;

import io.tailrace.worker.model.Logits;
import io.tailrace.worker.sampling.SamplingParameters;
import io.tailrace.worker.sampling.TokenSampler;

/** Chooses tokens from rows of logits; greedy ones where the logits lie. One thread. */
final class RowChoice {
    private final TokenSampler sampler = new TokenSampler();
    private final float[] row;

    RowChoice(int vocabularySize) {
        row = new float[vocabularySize];
    }

    int choose(Logits logits, int input, int node, SamplingParameters sampling, int position) {
        if (sampling.greedy()) {
            return logits.argmax(input, node);
        }
        logits.copy(input, node, row);
        return sampler.sample(sampling, row, row.length, position);
    }
}
