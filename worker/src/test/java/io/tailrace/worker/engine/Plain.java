package io.tailrace.worker.engine;

import io.tailrace.worker.model.HashModel;
import io.tailrace.worker.sampling.TokenSampler;
import java.util.Arrays;

/** Decoding as dull as can be: no batch, no cache, no drafts. The oracle of the engine. */
final class Plain {
    private Plain() {}

    static int[] decode(HashModel model, DecodeRequest request, int endToken, int tokensMax) {
        TokenSampler sampler = new TokenSampler();
        int[] context = Arrays.copyOf(request.prompt(), request.prompt().length + tokensMax);
        int length = request.prompt().length;
        for (int position = 0; position < tokensMax; position++) {
            float[] row = model.logits(context, length);
            int token = sampler.sample(request.sampling(), row, row.length, position);
            context[length++] = token;
            if (token == endToken) {
                break;
            }
        }
        return Arrays.copyOfRange(context, request.prompt().length, length);
    }
}
