package io.tailrace.worker.huggingface;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.worker.model.ModelLoadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** Reads config.json and generation_config.json of a Hugging Face directory, and refuses what is not a plain Llama. */
public final class ModelConfigFile {
    private static final String NAME = "config.json";
    private static final String ARCHITECTURE = "LlamaForCausalLM";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final JsonNode root;

    private ModelConfigFile(Path directory) {
        this.directory = directory;
        this.root = readJson(directory.resolve(NAME));
    }

    /** The model's shape. */
    public static LlamaConfig read(Path directory) {
        return new ModelConfigFile(directory).config();
    }

    /** Token ids that end an answer: of generation_config.json if it says so, else of config.json; may be none. */
    public static int[] endTokens(Path directory) {
        Set<Integer> ids = new LinkedHashSet<>();
        Path generation = directory.resolve("generation_config.json");
        if (Files.exists(generation)) {
            collect(readJson(generation).path("eos_token_id"), ids);
        }
        if (ids.isEmpty()) {
            collect(readJson(directory.resolve(NAME)).path("eos_token_id"), ids);
        }
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Parses a JSON file of a model directory. */
    public static JsonNode readJson(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new ModelLoadException(
                    "%s is missing; a model directory is one as Hugging Face lays it out (config.json, *.safetensors, tokenizer.json)"
                            .formatted(file));
        }
        try {
            return JSON.readTree(file.toFile());
        } catch (IOException e) {
            throw new ModelLoadException("%s is not readable JSON: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static void collect(JsonNode ids, Set<Integer> into) {
        if (ids.isInt()) {
            into.add(ids.intValue());
        }
        ids.forEach(id -> into.add(id.asInt()));
    }

    private LlamaConfig config() {
        refuseOthers();
        int heads = number("num_attention_heads");
        int hidden = number("hidden_size");
        try {
            return new LlamaConfig(
                    number("vocab_size"),
                    hidden,
                    number("intermediate_size"),
                    number("num_hidden_layers"),
                    heads,
                    number("num_key_value_heads", heads),
                    number("head_dim", heads > 0 ? hidden / heads : 0),
                    number("max_position_embeddings", 2048),
                    root.path("rms_norm_eps").asDouble(1e-6),
                    ropeTheta(),
                    ropeScaling(),
                    root.path("tie_word_embeddings").asBoolean(false));
        } catch (IllegalArgumentException e) {
            throw refused(e.getMessage());
        }
    }

    private void refuseOthers() {
        String architecture = root.path("architectures").path(0).asText("none named");
        require(
                architecture.equals(ARCHITECTURE),
                "architecture is %s, only %s can be served".formatted(architecture, ARCHITECTURE));
        String activation = root.path("hidden_act").asText("silu");
        require(activation.equals("silu"), "hidden_act is %s, only silu is known".formatted(activation));
        for (String bias : new String[] {"attention_bias", "mlp_bias"}) {
            require(!root.path(bias).asBoolean(false), bias + " is true, models with biases are not supported");
        }
        require(
                !root.hasNonNull("quantization_config"),
                "the weights are quantized (quantization_config); take the fp32, fp16 or bf16 model");
    }

    private double ropeTheta() {
        JsonNode nested = root.path("rope_parameters").path("rope_theta");
        return nested.isNumber() ? nested.asDouble() : root.path("rope_theta").asDouble(10_000);
    }

    private RopeScaling ropeScaling() {
        JsonNode scaling = root.hasNonNull("rope_parameters") ? root.get("rope_parameters") : root.path("rope_scaling");
        String type = scaling.path("rope_type").asText(scaling.path("type").asText("default"));
        return switch (type) {
            case "default" -> new RopeScaling.None();
            case "linear" -> new RopeScaling.Linear(real(scaling, "factor"));
            case "llama3" ->
                new RopeScaling.Llama3(
                        real(scaling, "factor"),
                        real(scaling, "low_freq_factor"),
                        real(scaling, "high_freq_factor"),
                        (int) real(scaling, "original_max_position_embeddings"));
            default -> throw refused("rope scaling is %s, known are default, linear and llama3".formatted(type));
        };
    }

    private double real(JsonNode node, String key) {
        require(node.path(key).isNumber(), "rope scaling lacks the number " + key);
        double value = node.get(key).asDouble();
        require(value > 0, "rope scaling's %s must be > 0, got %s".formatted(key, value));
        return value;
    }

    private int number(String key) {
        require(root.path(key).isInt(), key + " is missing or not a whole number");
        return root.get(key).intValue();
    }

    private int number(String key, int otherwise) {
        return root.hasNonNull(key) ? number(key) : otherwise;
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw refused(message);
        }
    }

    private ModelLoadException refused(String message) {
        return new ModelLoadException("%s: %s".formatted(directory.resolve(NAME), message));
    }
}
