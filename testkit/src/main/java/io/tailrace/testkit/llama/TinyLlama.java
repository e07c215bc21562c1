package io.tailrace.testkit.llama;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * A Llama-architecture model of random weights, all of them decided by a seed, small enough to be computed by hand. Every
 * weight is a multiple of a power of two with at most eight significant bits, so fp32, fp16 and bf16 files hold it exactly.
 *
 * @param shape its sizes
 * @param weights tensors by their Hugging Face names
 */
public record TinyLlama(Shape shape, Map<String, Tensor> weights) {
    /**
     * What config.json says.
     *
     * @param ropeScaling how frequencies are stretched, or null
     */
    public record Shape(
            int vocabularySize,
            int hidden,
            int intermediate,
            int layers,
            int heads,
            int keyValueHeads,
            int headSize,
            int contextTokensMax,
            double ropeTheta,
            Llama3Scaling ropeScaling,
            boolean tied) {
        /** Two layers, grouped heads, tied, no scaling; the vocabulary of {@link TinyTokenizer}. */
        public static Shape small() {
            return new Shape(TinyTokenizer.VOCABULARY_SIZE, 32, 48, 2, 4, 2, 8, 512, 10_000, null, true);
        }

        public Shape untied() {
            return new Shape(
                    vocabularySize,
                    hidden,
                    intermediate,
                    layers,
                    heads,
                    keyValueHeads,
                    headSize,
                    contextTokensMax,
                    ropeTheta,
                    ropeScaling,
                    false);
        }

        public Shape withHeads(int newHeads, int newKeyValueHeads, int newHeadSize) {
            return new Shape(
                    vocabularySize,
                    hidden,
                    intermediate,
                    layers,
                    newHeads,
                    newKeyValueHeads,
                    newHeadSize,
                    contextTokensMax,
                    ropeTheta,
                    ropeScaling,
                    tied);
        }

        public Shape withLayers(int newLayers) {
            return new Shape(
                    vocabularySize,
                    hidden,
                    intermediate,
                    newLayers,
                    heads,
                    keyValueHeads,
                    headSize,
                    contextTokensMax,
                    ropeTheta,
                    ropeScaling,
                    tied);
        }

        public Shape scaled(Llama3Scaling scaling) {
            return new Shape(
                    vocabularySize,
                    hidden,
                    intermediate,
                    layers,
                    heads,
                    keyValueHeads,
                    headSize,
                    contextTokensMax,
                    ropeTheta,
                    scaling,
                    tied);
        }
    }

    /** The four numbers of Llama 3.1's rotary scaling. */
    public record Llama3Scaling(
            double factor, double lowFrequencyFactor, double highFrequencyFactor, int originalContext) {}

    /** Numbers in row order. */
    public record Tensor(int[] shape, float[] values) {}

    /** The model of a seed. */
    public static TinyLlama random(Shape shape, long seed) {
        Random random = new Random(seed);
        Map<String, Tensor> weights = new LinkedHashMap<>();
        int queries = shape.heads() * shape.headSize();
        int keys = shape.keyValueHeads() * shape.headSize();
        weights.put("model.embed_tokens.weight", matrix(random, shape.vocabularySize(), shape.hidden(), 0));
        for (int layer = 0; layer < shape.layers(); layer++) {
            String name = "model.layers." + layer + ".";
            weights.put(name + "input_layernorm.weight", norm(random, shape.hidden()));
            weights.put(name + "self_attn.q_proj.weight", matrix(random, queries, shape.hidden(), 1));
            weights.put(name + "self_attn.k_proj.weight", matrix(random, keys, shape.hidden(), 1));
            weights.put(name + "self_attn.v_proj.weight", matrix(random, keys, shape.hidden(), 1));
            weights.put(name + "self_attn.o_proj.weight", matrix(random, shape.hidden(), queries, 1));
            weights.put(name + "post_attention_layernorm.weight", norm(random, shape.hidden()));
            weights.put(name + "mlp.gate_proj.weight", matrix(random, shape.intermediate(), shape.hidden(), 1));
            weights.put(name + "mlp.up_proj.weight", matrix(random, shape.intermediate(), shape.hidden(), 1));
            weights.put(name + "mlp.down_proj.weight", matrix(random, shape.hidden(), shape.intermediate(), 1));
        }
        weights.put("model.norm.weight", norm(random, shape.hidden()));
        if (!shape.tied()) {
            weights.put("lm_head.weight", matrix(random, shape.vocabularySize(), shape.hidden(), 0));
        }
        return new TinyLlama(shape, weights);
    }

    private static Tensor matrix(Random random, int rows, int columns, int halvings) {
        float[] values = new float[rows * columns];
        for (int place = 0; place < values.length; place++) {
            values[place] = (random.nextInt(255) - 127) / (float) (128 << halvings);
        }
        return new Tensor(new int[] {rows, columns}, values);
    }

    private static Tensor norm(Random random, int size) {
        float[] values = new float[size];
        for (int place = 0; place < size; place++) {
            values[place] = (64 + random.nextInt(128)) / 128f;
        }
        return new Tensor(new int[] {size}, values);
    }
}
