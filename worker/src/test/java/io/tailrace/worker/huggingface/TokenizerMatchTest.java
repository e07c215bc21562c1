package io.tailrace.worker.huggingface;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.worker.model.ModelLoadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerMatchTest {
    @TempDir
    private Path folder;

    @Test
    void theSameTokensMayStandInFilesThatDiffer() throws IOException {
        Path one = tokenizer("one", "{\"a\": 0, \"b\": 1}", "{\"id\": 2, \"content\": \"<end>\"}");
        Path other = tokenizer("other", "{\"b\": 1, \"a\": 0, \"<end>\": 2}", "");
        assertThatCode(() -> TokenizerMatch.requireSame(one, other)).doesNotThrowAnyException();
    }

    @Test
    void anotherIdAMissingAndAFurtherTokenAreRefused() throws IOException {
        Path target = tokenizer("target", "{\"a\": 0, \"b\": 1}", "");
        requireRefused(
                target, tokenizer("swapped", "{\"a\": 1, \"b\": 0}", ""), "'a' is id 0 of the target's and id 1 of");
        requireRefused(target, tokenizer("less", "{\"a\": 0}", ""), "'b' is id 1 of the target's and id none");
        requireRefused(
                target,
                tokenizer("more", "{\"a\": 0, \"b\": 1, \"c\": 2}", ""),
                "'c' is id none of the target's and id 2");
        requireRefused(target, folder.resolve("nowhere"), "is missing");
    }

    @Test
    void idsMayAlsoBeThePlacesOfAList() throws IOException {
        Path target = tokenizer("target", "[[\"a\", -1.5], [\"b\", -2]]", "");
        assertThatCode(() -> TokenizerMatch.requireSame(target, tokenizer("map", "{\"a\": 0, \"b\": 1}", "")))
                .doesNotThrowAnyException();
    }

    private static void requireRefused(Path target, Path draft, String words) {
        assertThatThrownBy(() -> TokenizerMatch.requireSame(target, draft))
                .isInstanceOf(ModelLoadException.class)
                .hasMessageContaining(words);
    }

    private Path tokenizer(String name, String vocabulary, String added) throws IOException {
        Path directory = Files.createDirectories(folder.resolve(name));
        Files.writeString(
                directory.resolve("tokenizer.json"),
                "{\"added_tokens\": [%s], \"model\": {\"vocab\": %s}}".formatted(added, vocabulary));
        return directory;
    }
}
