package io.tailrace.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevFolderTest {
    private static final ServedModel MODEL = new ServedModel("llama", "main", 100, "sha256:a");

    @TempDir
    Path parent;

    @Test
    void whatIsKeptIsThereAtTheNextStart() throws IOException {
        Path kept = segment();
        DevFolder.open(folder(), MODEL, false).close();
        assertThat(kept).exists();
    }

    @Test
    void anEmptyStartForgetsWhatWasKeptAndNothingElse() throws IOException {
        Path kept = segment();
        Path others = Files.writeString(folder().resolve("notes.txt"), "mine");
        DevFolder.open(folder(), MODEL, true).close();
        assertThat(kept).doesNotExist();
        assertThat(others).exists();
    }

    @Test
    void aFolderOfSomethingElseIsLeftAlone() throws IOException {
        Path store = Files.createDirectories(folder().resolve("store"));
        assertThatThrownBy(() -> DevFolder.open(folder(), MODEL, true))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("--folder", "holds something else");
        assertThat(store).exists();
    }

    @Test
    void anotherTokenizersAnswersAreNotGoneOnFrom() throws IOException {
        Path kept = segment();
        ServedModel other = new ServedModel("llama", "main", 100, "sha256:b");
        assertThatThrownBy(() -> DevFolder.open(folder(), other, false))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("sha256:a", "sha256:b", "--empty");
        assertThat(kept).exists();
        DevFolder.open(folder(), other, true).close();
        DevFolder.open(folder(), other, false).close();
    }

    @Test
    void oneProcessAtATimeHasIt() throws IOException {
        try (DevFolder first = DevFolder.open(folder(), MODEL, false)) {
            assertThatThrownBy(() -> DevFolder.open(first.path(), MODEL, true))
                    .isInstanceOf(BadInputException.class)
                    .hasMessageContaining("in use by another 'tailrace dev'");
        }
        DevFolder.open(folder(), MODEL, false).close();
    }

    private Path folder() {
        return parent.resolve("kept");
    }

    /** A file that a first run left. */
    private Path segment() throws IOException {
        DevFolder.open(folder(), MODEL, false).close();
        return Files.writeString(
                Files.createDirectories(folder().resolve("store")).resolve("a.segment"), "x");
    }
}
