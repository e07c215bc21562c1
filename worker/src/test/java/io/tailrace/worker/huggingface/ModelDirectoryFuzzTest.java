package io.tailrace.worker.huggingface;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import io.tailrace.worker.model.ModelLoadException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** The JSON files of a model directory; the first byte says which. */
class ModelDirectoryFuzzTest {
    private static final List<String> NAMES = List.of(
            "config.json",
            "generation_config.json",
            "model.safetensors.index.json",
            "tokenizer.json",
            "tokenizer_config.json");

    @TempDir
    static Path folder;

    static Stream<byte[]> seeds() {
        return Stream.of(
                        """
                        0{"architectures":["LlamaForCausalLM"],"vocab_size":32,"hidden_size":8,"intermediate_size":16,
                        "num_hidden_layers":2,"num_attention_heads":2,"num_key_value_heads":1,"head_dim":4,
                        "rms_norm_eps":1e-5,"rope_theta":1e4,"eos_token_id":[1,2],"tie_word_embeddings":true,
                        "rope_scaling":{"rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,
                        "original_max_position_embeddings":8192},"max_position_embeddings":64}""",
                        """
                        0{"architectures":["LlamaForCausalLM"],"vocab_size":32,"hidden_size":8,"intermediate_size":16,
                        "num_hidden_layers":2,"num_attention_heads":2,"rope_parameters":{"type":"linear","factor":2,"rope_theta":5}}""",
                        "1{\"eos_token_id\":[3,4]}",
                        "2{\"weight_map\":{\"a\":\"model-1.safetensors\",\"b\":\"../x\",\"c\":\"\\u0000\"}}",
                        "3{\"model\":{\"vocab\":{\"a\":0,\"b\":1}},\"added_tokens\":[{\"id\":2,\"content\":\"<s>\"}]}",
                        "3{\"model\":{\"vocab\":[[\"a\",-1.5],[\"b\",0]]}}",
                        "4{\"chat_template\":[{\"name\":\"default\",\"template\":\"{{ bos_token }}\"}],\"bos_token\":{\"content\":\"<s>\"}}")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("seeds")
    @FuzzTest
    void aModelDirectoryIsReadOrRefused(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        for (String name : NAMES) {
            Files.deleteIfExists(folder.resolve(name));
        }
        String name = NAMES.get(Math.floorMod(data[0] - '0', NAMES.size()));
        Files.write(folder.resolve(name), Arrays.copyOfRange(data, 1, data.length));
        List<Callable<?>> readings = List.of(
                () -> ModelConfigFile.read(folder),
                () -> ModelConfigFile.endTokens(folder),
                () -> WeightFiles.open(folder),
                () -> JinjaChatTemplate.read(folder),
                () -> {
                    TokenizerMatch.requireSame(folder, folder);
                    return folder;
                });
        for (Callable<?> reading : readings) {
            try {
                assertThat((Object) AllocationLimit.check(data.length, reading)).isNotNull();
            } catch (ModelLoadException refused) {
                assertThat(refused).hasMessageContaining(folder.toString());
            }
        }
    }
}
