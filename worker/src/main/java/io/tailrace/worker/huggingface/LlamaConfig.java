package io.tailrace.worker.huggingface;

/**
 * The shape of a Llama-architecture model, as config.json says it.
 *
 * @param vocabularySize rows of the embedding
 * @param hidden width of the residual stream
 * @param intermediate width of the MLP
 * @param layers decoder layers
 * @param heads query heads
 * @param keyValueHeads key and value heads; each serves {@code heads / keyValueHeads} query heads
 * @param headSize dimensions of a head, even
 * @param contextTokensMax positions the model was trained for
 * @param normEpsilon added to the mean square in RMSNorm
 * @param ropeTheta base of the rotary frequencies
 * @param ropeScaling how they are stretched
 * @param tied whether the output head is the embedding
 */
public record LlamaConfig(
        int vocabularySize,
        int hidden,
        int intermediate,
        int layers,
        int heads,
        int keyValueHeads,
        int headSize,
        int contextTokensMax,
        double normEpsilon,
        double ropeTheta,
        RopeScaling ropeScaling,
        boolean tied) {
    public LlamaConfig {
        positive("vocab_size", vocabularySize);
        positive("hidden_size", hidden);
        positive("intermediate_size", intermediate);
        positive("num_hidden_layers", layers);
        positive("num_attention_heads", heads);
        positive("num_key_value_heads", keyValueHeads);
        positive("head_dim", headSize);
        positive("max_position_embeddings", contextTokensMax);
        require(
                heads % keyValueHeads == 0,
                "num_attention_heads %d must be a multiple of num_key_value_heads %d".formatted(heads, keyValueHeads));
        require(headSize % 2 == 0, "head_dim must be even, got " + headSize);
        require(normEpsilon > 0, "rms_norm_eps must be > 0, got " + normEpsilon);
        require(ropeTheta > 1, "rope_theta must be > 1, got " + ropeTheta);
    }

    /** Rows of the query projection. */
    public int queryRows() {
        return heads * headSize;
    }

    /** Rows of the key projection, and of the value projection. */
    public int keyValueRows() {
        return keyValueHeads * headSize;
    }

    private static void positive(String key, int value) {
        require(value > 0, key + " must be > 0, got " + value);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
