package io.tailrace.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineModelTest {
    @TempDir
    private Path folder;

    @Test
    void aModelIsKnownByItsVocabularyAndItsTokenizersBytes() throws IOException {
        Files.writeString(folder.resolve("config.json"), "{\"vocab_size\": 258, \"max_position_embeddings\": 512}");
        Files.writeString(folder.resolve("tokenizer.json"), "{}");
        EngineModel model = EngineModel.in(folder, "demo", 1_024);
        assertThat(model.lengthMax()).isEqualTo(512);
        assertThat(model.served().vocabularySize()).isEqualTo(258);
        assertThat(model.served().tokenizerFingerprint())
                .as("as sha256sum says")
                .isEqualTo("sha256:44136fa355b3678a1146ad16f7e8649e");
        assertThat(EngineModel.in(folder, "demo", 100).lengthMax()).isEqualTo(100);
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        assertThatThrownBy(() -> EngineModel.in(folder, "demo", 100))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("config.json");
        Files.writeString(folder.resolve("config.json"), "{\"vocab_size\": 258}");
        assertThatThrownBy(() -> EngineModel.in(folder, "demo", 100))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("max_position_embeddings");
    }
}
