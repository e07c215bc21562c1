package io.tailrace.worker.smallmodel;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * A Llama of 3 million random weights, the same each time. Nobody trained it, but it computes like any other. It answers any
 * prompt with syllables that mean nothing; greedily it gives a prompt always the same answer, and another prompt another one.
 * Its weights are large, so the likeliest token stands out and rounding seldom decides.
 */
public final class SmallLlama {
    /** The folder's usual name, by which a fleet calls the model. */
    public static final String NAME = "small-llama";

    /** Of those tried, one whose answers are neither short nor near a tie. */
    private static final long SEED = 2;

    private static final int HIDDEN = 256;
    private static final int INNER = 704;
    private static final int LAYERS = 4;
    private static final int HEADS = 4;
    private static final int KEY_VALUE_HEADS = 2;
    private static final int HEAD_SIZE = HIDDEN / HEADS;
    private static final int POSITIONS = 1024;
    /** No weight is larger, in units of one over the root of its row's length. A trained one's are about a quarter of that. */
    private static final double WEIGHT_MAX = 3.1;

    private static final String TEMPLATE =
            "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
                    + "{% if add_generation_prompt %}assistant:{% endif %}";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Random random = new Random(SEED);
    private final SyllableTokenizer tokenizer = new SyllableTokenizer();
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();

    private SmallLlama() {
        int vocabulary = tokenizer.vocabularySize();
        tensors.put("model.embed_tokens.weight", matrix(vocabulary, HIDDEN));
        for (int layer = 0; layer < LAYERS; layer++) {
            addLayer("model.layers." + layer + ".");
        }
        tensors.put("model.norm.weight", ones());
        tensors.put("lm_head.weight", head());
    }

    private record Tensor(int[] shape, float[] values) {}

    /**
     * Makes its folder as Hugging Face lays one out, where there is none: config.json, model.safetensors, tokenizer.json and
     * its config, 13 MB in all.
     */
    public static void make(Path folder) throws IOException {
        if (Files.exists(folder)) {
            return;
        }
        Path parent = Files.createDirectories(folder.toAbsolutePath().getParent());
        Path aside = Files.createTempDirectory(parent, folder.getFileName() + "-");
        new SmallLlama().write(aside);
        Files.move(aside, folder, StandardCopyOption.ATOMIC_MOVE);
    }

    private void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("config.json"), config());
        Files.writeString(folder.resolve("tokenizer.json"), tokenizer.json());
        Files.writeString(folder.resolve("tokenizer_config.json"), tokenizerConfig());
        Files.write(folder.resolve("model.safetensors"), weights());
    }

    private void addLayer(String name) {
        int keys = KEY_VALUE_HEADS * HEAD_SIZE;
        tensors.put(name + "input_layernorm.weight", ones());
        tensors.put(name + "self_attn.q_proj.weight", matrix(HIDDEN, HIDDEN));
        tensors.put(name + "self_attn.k_proj.weight", matrix(keys, HIDDEN));
        tensors.put(name + "self_attn.v_proj.weight", matrix(keys, HIDDEN));
        tensors.put(name + "self_attn.o_proj.weight", matrix(HIDDEN, HIDDEN));
        tensors.put(name + "post_attention_layernorm.weight", ones());
        tensors.put(name + "mlp.gate_proj.weight", matrix(INNER, HIDDEN));
        tensors.put(name + "mlp.up_proj.weight", matrix(INNER, HIDDEN));
        tensors.put(name + "mlp.down_proj.weight", matrix(HIDDEN, INNER));
    }

    private Tensor matrix(int rows, int columns) {
        float[] values = new float[rows * columns];
        for (int place = 0; place < values.length; place++) {
            values[place] = (float) ((2 * random.nextFloat() - 1) * WEIGHT_MAX / Math.sqrt(columns));
        }
        return new Tensor(new int[] {rows, columns}, values);
    }

    /** It says syllables and the end; what a row of zeros stands for is never the likeliest. */
    private Tensor head() {
        Tensor head = matrix(tokenizer.vocabularySize(), HIDDEN);
        for (int token = 0; token < tokenizer.firstSyllable(); token++) {
            if (token != SyllableTokenizer.END) {
                Arrays.fill(head.values(), token * HIDDEN, (token + 1) * HIDDEN, 0);
            }
        }
        return head;
    }

    private static Tensor ones() {
        float[] values = new float[HIDDEN];
        Arrays.fill(values, 1);
        return new Tensor(new int[] {HIDDEN}, values);
    }

    private String config() {
        ObjectNode config = JSON.createObjectNode();
        config.putArray("architectures").add("LlamaForCausalLM");
        return config.put("model_type", "llama")
                .put("hidden_act", "silu")
                .put("vocab_size", tokenizer.vocabularySize())
                .put("hidden_size", HIDDEN)
                .put("intermediate_size", INNER)
                .put("num_hidden_layers", LAYERS)
                .put("num_attention_heads", HEADS)
                .put("num_key_value_heads", KEY_VALUE_HEADS)
                .put("head_dim", HEAD_SIZE)
                .put("max_position_embeddings", POSITIONS)
                .put("rms_norm_eps", 1e-5)
                .put("rope_theta", 10_000.0)
                .put("tie_word_embeddings", false)
                .put("attention_bias", false)
                .put("mlp_bias", false)
                .put("bos_token_id", SyllableTokenizer.BEGIN)
                .put("eos_token_id", SyllableTokenizer.END)
                .put("torch_dtype", "float32")
                .toPrettyString();
    }

    private static String tokenizerConfig() {
        return JSON.createObjectNode()
                .put("tokenizer_class", "PreTrainedTokenizerFast")
                .put("bos_token", SyllableTokenizer.BEGIN_TEXT)
                .put("eos_token", SyllableTokenizer.END_TEXT)
                .put("chat_template", TEMPLATE)
                .toPrettyString();
    }

    /** A safetensors file: the header's length, the header in JSON, the numbers. */
    private byte[] weights() {
        ObjectNode header = JSON.createObjectNode();
        header.putObject("__metadata__").put("format", "pt");
        int end = 0;
        for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
            int begin = end;
            end += entry.getValue().values().length * Float.BYTES;
            ObjectNode tensor = header.putObject(entry.getKey()).put("dtype", "F32");
            tensor.set("shape", JSON.valueToTree(entry.getValue().shape()));
            tensor.putArray("data_offsets").add(begin).add(end);
        }
        byte[] text = header.toString().getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + text.length + end).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(text.length).put(text);
        for (Tensor tensor : tensors.values()) {
            for (float value : tensor.values()) {
                bytes.putFloat(value);
            }
        }
        return bytes.array();
    }
}
