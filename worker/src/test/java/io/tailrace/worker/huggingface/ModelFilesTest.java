package io.tailrace.worker.huggingface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Llama3Scaling;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.testkit.llama.TinyLlama.Tensor;
import io.tailrace.worker.model.ModelLoadException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelFilesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    @Test
    void everyNumberIsReadWhateverItsTypeAndFile() throws IOException {
        for (WeightType type : WeightType.values()) {
            for (int shards = 1; shards <= 3; shards++) {
                TinyLlama model = TinyLlama.random(Shape.small(), shards);
                Path directory = ModelDirectory.write(folder.resolve(type.name() + shards), model, type, shards);
                WeightFiles files = WeightFiles.open(directory);
                for (Map.Entry<String, Tensor> entry : model.weights().entrySet()) {
                    assertThat(files.tensor(entry.getKey()).floats())
                            .isEqualTo(entry.getValue().values());
                }
            }
        }
    }

    @Test
    void tensorsLongerThanAChunkAreReadWhole() throws IOException {
        float[] values = new float[700_001];
        for (int place = 0; place < values.length; place++) {
            values[place] = (place % 255 - 127) / 128f;
        }
        ModelDirectory.writeFile(
                folder.resolve("model.safetensors"),
                Map.of("long", new Tensor(new int[] {values.length}, values)),
                WeightType.F32);
        assertThat(WeightFiles.open(folder).tensor("long").floats()).isEqualTo(values);
    }

    @Test
    void aTruncatedFileIsRefusedWhereverItEnds() throws IOException {
        Path file = small().resolve("model.safetensors");
        byte[] whole = Files.readAllBytes(file);
        int headerEnd = 8 + whole[0] + 256 * (whole[1] & 0xff);
        for (int length : new int[] {0, 7, 8, 9, headerEnd / 2, headerEnd, whole.length / 2, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            refused(() -> WeightFiles.open(folder), "model.safetensors");
        }
        byte[] noise = whole.clone();
        Arrays.fill(noise, 8, 40, (byte) '{');
        Files.write(file, noise);
        refused(() -> WeightFiles.open(folder), "header is not JSON");
    }

    @Test
    void missingFilesAndTensorsAreNamed() throws IOException {
        refused(() -> ModelConfigFile.read(folder), "config.json is missing");
        refused(() -> WeightFiles.open(folder), "neither model.safetensors nor model.safetensors.index.json");
        WeightFiles files = WeightFiles.open(small());
        refused(() -> files.tensor("lm_head.weight"), "lack tensor lm_head.weight");
        refused(() -> files.tensor("model.norm.weight").requireShape(33), "has shape [32], config.json asks for [33]");
        Path sharded =
                ModelDirectory.write(folder.resolve("sharded"), TinyLlama.random(Shape.small(), 1), WeightType.F32, 2);
        Files.delete(sharded.resolve("model-00002-of-00002.safetensors"));
        refused(() -> WeightFiles.open(sharded), "names shard model-00002-of-00002.safetensors");
        Files.writeString(sharded.resolve("model.safetensors.index.json"), "{}");
        refused(() -> WeightFiles.open(sharded), "weight_map is missing or empty");
        Files.writeString(
                sharded.resolve("model.safetensors.index.json"), "{\"weight_map\": {\"a\": \"../../etc/passwd\"}}");
        refused(() -> WeightFiles.open(sharded), "not in the directory");
        Files.writeString(sharded.resolve("model.safetensors.index.json"), "{\"weight_map\": {\"a\": \"b\\u0000c\"}}");
        refused(() -> WeightFiles.open(sharded), "not in the directory");
    }

    /** A worker that is started in the model's directory is told ".". */
    @Test
    void shardsAreFoundWhateverTheDirectoryIsCalled() throws IOException {
        TinyLlama model = TinyLlama.random(Shape.small(), 1);
        Path sharded = ModelDirectory.write(folder.resolve("sharded"), model, WeightType.F32, 2);
        Path relative = Path.of("").toAbsolutePath().relativize(sharded.toAbsolutePath());
        for (Path directory : List.of(relative, sharded.resolve("."), sharded.resolve("../sharded"))) {
            assertThat(WeightFiles.open(directory).has("model.norm.weight")).isTrue();
        }
        assertThat(WeightFiles.shardFile(Path.of("."), "pom.xml")).contains(Path.of("pom.xml"));
        assertThat(WeightFiles.shardFile(Path.of("."), "../pom.xml")).isEmpty();
    }

    @Test
    void aTensorWithoutAShapeThatAnyFileCouldHoldIsRefused() throws IOException {
        refuseTensor("{\"dtype\":\"F32\",\"shape\":{\"x\":1},\"data_offsets\":[0,4]}", "no list of dimensions");
        refuseTensor("{\"dtype\":\"F32\",\"data_offsets\":[0,4]}", "no list of dimensions");
        String huge = Long.toString(Long.MAX_VALUE);
        refuseTensor(
                "{\"dtype\":\"F32\",\"shape\":[%s,2],\"data_offsets\":[0,4]}".formatted(huge),
                "more bytes than any file");
        refuseTensor(
                "{\"dtype\":\"F16\",\"shape\":[%s],\"data_offsets\":[0,4]}".formatted(huge),
                "more bytes than any file");
        // 2 - 2^63 is below 8 by so much that the difference, of 64 bits, is what the shape asks for.
        refuseTensor(
                "{\"dtype\":\"F16\",\"shape\":[%d],\"data_offsets\":[8,%d]}"
                        .formatted((1L << 62) - 3, Long.MIN_VALUE + 2),
                "that is not its size");
    }

    private void refuseTensor(String entry, String reason) throws IOException {
        byte[] header = "{\"a\":%s}".formatted(entry).getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve("model.safetensors");
        Files.write(
                file,
                ByteBuffer.allocate(Long.BYTES + header.length + 16)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(header.length)
                        .put(header)
                        .array());
        refused(() -> WeightFiles.open(folder), reason);
    }

    @Test
    void theConfigurationSaysTheShape() throws IOException {
        Shape shape = Shape.small().untied().scaled(new Llama3Scaling(8, 1, 4, 32));
        ModelDirectory.write(folder, TinyLlama.random(shape, 1), WeightType.F32, 1);
        LlamaConfig config = ModelConfigFile.read(folder);
        assertThat(config.hidden()).isEqualTo(32);
        assertThat(config.headSize()).isEqualTo(8);
        assertThat(config.keyValueRows()).isEqualTo(16);
        assertThat(config.tied()).isFalse();
        assertThat(config.ropeScaling()).isEqualTo(new RopeScaling.Llama3(8, 1, 4, 32));
        assertThat(ModelConfigFile.endTokens(folder)).containsExactly(1);
        Files.writeString(folder.resolve("generation_config.json"), "{\"eos_token_id\": [7, 9]}");
        assertThat(ModelConfigFile.endTokens(folder)).containsExactly(7, 9);
    }

    @Test
    void whatIsLeftOutHasTheUsualValue() throws IOException {
        small();
        change(config -> config.remove(List.of("head_dim", "num_key_value_heads", "rope_scaling", "rope_theta")));
        LlamaConfig config = ModelConfigFile.read(folder);
        assertThat(config.headSize()).isEqualTo(8);
        assertThat(config.keyValueHeads()).isEqualTo(4);
        assertThat(config.ropeTheta()).isEqualTo(10_000);
        assertThat(config.ropeScaling()).isEqualTo(new RopeScaling.None());
        change(other ->
                other.putObject("rope_parameters").put("rope_theta", 5e5).put("rope_type", "default"));
        assertThat(ModelConfigFile.read(folder).ropeTheta()).isEqualTo(5e5);
    }

    @Test
    void otherModelsAreRefusedWithTheReason() throws IOException {
        requireRefused(
                config -> config.putArray("architectures").add("MambaForCausalLM"), "architecture is MambaForCausalLM");
        requireRefused(config -> config.put("hidden_act", "gelu"), "hidden_act is gelu");
        requireRefused(config -> config.put("attention_bias", true), "attention_bias is true");
        requireRefused(config -> config.putObject("quantization_config").put("bits", 4), "quantized");
        requireRefused(config -> config.remove("hidden_size"), "hidden_size is missing");
        requireRefused(config -> config.put("num_key_value_heads", 3), "must be a multiple of num_key_value_heads 3");
        requireRefused(config -> config.put("head_dim", 7), "head_dim must be even");
        requireRefused(config -> config.put("vocab_size", 0), "vocab_size must be > 0");
        requireRefused(config -> config.putObject("rope_scaling").put("rope_type", "yarn"), "rope scaling is yarn");
        requireRefused(
                config -> config.putObject("rope_scaling").put("rope_type", "llama3"), "lacks the number factor");
        Files.writeString(small().resolve("config.json"), "{\"a\": ");
        refused(() -> ModelConfigFile.read(folder), "not readable JSON");
    }

    private void requireRefused(Consumer<ObjectNode> change, String reason) throws IOException {
        small();
        change(change);
        refused(() -> ModelConfigFile.read(folder), reason);
    }

    private void change(Consumer<ObjectNode> change) throws IOException {
        JsonNode config = ModelConfigFile.readJson(folder.resolve("config.json"));
        change.accept((ObjectNode) config);
        JSON.writeValue(folder.resolve("config.json").toFile(), config);
    }

    private Path small() throws IOException {
        return ModelDirectory.write(folder, TinyLlama.random(Shape.small(), 1), WeightType.F32, 1);
    }

    private static void refused(ThrowingCallable load, String reason) {
        assertThatThrownBy(load).isInstanceOf(ModelLoadException.class).hasMessageContaining(reason);
    }
}
