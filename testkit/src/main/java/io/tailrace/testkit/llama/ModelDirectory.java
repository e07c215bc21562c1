package io.tailrace.testkit.llama;

import io.tailrace.testkit.llama.TinyLlama.Llama3Scaling;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.testkit.llama.TinyLlama.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** Writes a {@link TinyLlama} as Hugging Face lays a model out: config, weights in one file or several, tokenizer. */
public final class ModelDirectory {
    /** RMSNorm's epsilon of every model written. */
    public static final double EPSILON = 1e-5;

    /** How numbers are stored. */
    public enum WeightType {
        F32,
        F16,
        BF16
    }

    private static final String TEMPLATE =
            "{% for message in messages %}<|im_start|>{{ message['role'] }}\\n{{ message['content'] }}<|im_end|>\\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\\n{% endif %}";

    private ModelDirectory() {}

    /**
     * Writes all files.
     *
     * @param shards weight files to spread the tensors over, at least 1
     */
    public static Path write(Path directory, TinyLlama model, WeightType type, int shards) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("config.json"), config(model.shape(), type));
        Files.writeString(directory.resolve("tokenizer.json"), TinyTokenizer.json());
        Files.writeString(
                directory.resolve("tokenizer_config.json"),
                "{\"bos_token\": \"<|begin|>\", \"eos_token\": \"<|end|>\", \"chat_template\": \"%s\"}"
                        .formatted(TEMPLATE));
        writeWeights(directory, model.weights(), type, shards);
        return directory;
    }

    private static String config(Shape shape, WeightType type) {
        Llama3Scaling scaling = shape.ropeScaling();
        String rope = scaling == null
                ? "null"
                : "{\"rope_type\": \"llama3\", \"factor\": %s, \"low_freq_factor\": %s, \"high_freq_factor\": %s, \"original_max_position_embeddings\": %d}"
                        .formatted(
                                scaling.factor(),
                                scaling.lowFrequencyFactor(),
                                scaling.highFrequencyFactor(),
                                scaling.originalContext());
        return """
                {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "attention_bias": false,
                 "vocab_size": %d, "hidden_size": %d, "intermediate_size": %d, "num_hidden_layers": %d,
                 "num_attention_heads": %d, "num_key_value_heads": %d, "head_dim": %d, "max_position_embeddings": %d,
                 "rms_norm_eps": %s, "rope_theta": %s, "rope_scaling": %s, "tie_word_embeddings": %s,
                 "bos_token_id": %d, "eos_token_id": %d, "torch_dtype": "%s"}
                """.formatted(
                        shape.vocabularySize(),
                        shape.hidden(),
                        shape.intermediate(),
                        shape.layers(),
                        shape.heads(),
                        shape.keyValueHeads(),
                        shape.headSize(),
                        shape.contextTokensMax(),
                        EPSILON,
                        shape.ropeTheta(),
                        rope,
                        shape.tied(),
                        TinyTokenizer.BEGIN,
                        TinyTokenizer.END,
                        type);
    }

    private static void writeWeights(Path directory, Map<String, Tensor> weights, WeightType type, int shards)
            throws IOException {
        if (shards == 1) {
            writeFile(directory.resolve("model.safetensors"), weights, type);
            return;
        }
        StringJoiner index = new StringJoiner(", ", "{\"metadata\": {}, \"weight_map\": {", "}}");
        for (int shard = 0; shard < shards; shard++) {
            String file = "model-%05d-of-%05d.safetensors".formatted(shard + 1, shards);
            Map<String, Tensor> part = new LinkedHashMap<>();
            int place = 0;
            for (Map.Entry<String, Tensor> entry : weights.entrySet()) {
                if (place++ % shards == shard) {
                    part.put(entry.getKey(), entry.getValue());
                    index.add("\"%s\": \"%s\"".formatted(entry.getKey(), file));
                }
            }
            writeFile(directory.resolve(file), part, type);
        }
        Files.writeString(directory.resolve("model.safetensors.index.json"), index.toString());
    }

    /** Writes one safetensors file. */
    public static void writeFile(Path file, Map<String, Tensor> tensors, WeightType type) throws IOException {
        int numberBytes = type == WeightType.F32 ? Float.BYTES : Short.BYTES;
        StringJoiner header = new StringJoiner(", ", "{\"__metadata__\": {\"format\": \"pt\"}, ", "}");
        int end = 0;
        for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
            int begin = end;
            end += entry.getValue().values().length * numberBytes;
            header.add("\"%s\": {\"dtype\": \"%s\", \"shape\": %s, \"data_offsets\": [%d, %d]}"
                    .formatted(
                            entry.getKey(),
                            type,
                            Arrays.toString(entry.getValue().shape()),
                            begin,
                            end));
        }
        byte[] text = header.toString().getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + text.length + end).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(text.length).put(text);
        for (Tensor tensor : tensors.values()) {
            for (float value : tensor.values()) {
                put(bytes, value, type);
            }
        }
        Files.write(file, bytes.array());
    }

    private static void put(ByteBuffer bytes, float value, WeightType type) {
        switch (type) {
            case F32 -> bytes.putFloat(value);
            case F16 -> bytes.putShort(exactHalf(value));
            case BF16 -> bytes.putShort((short) (Float.floatToIntBits(value) >>> 16));
        }
    }

    /** The half of a number that has one of normal size. */
    private static short exactHalf(float value) {
        if (value == 0) {
            return 0;
        }
        int exponent = Math.getExponent(value);
        int mantissa = (int) (Math.abs(value) / Math.scalb(1f, exponent) * 1024) - 1024;
        return (short) ((value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | mantissa);
    }
}
