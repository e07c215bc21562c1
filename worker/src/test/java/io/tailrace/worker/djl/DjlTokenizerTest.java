package io.tailrace.worker.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.Cases;
import io.tailrace.testkit.llama.TinyTokenizer;
import io.tailrace.worker.model.ModelLoadException;
import io.tailrace.worker.model.TextTokenizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DjlTokenizerTest {
    private static final int[][] LETTERS = {{'a', 'z'}, {' ', '~'}, {0xc0, 0x17f}, {0x4e00, 0x4fff}, {0x1f600, 0x1f64f}
    };

    @TempDir
    static Path folder;

    private static DjlTokenizer tokenizer;

    @BeforeAll
    static void loadOnce() throws IOException {
        Files.writeString(folder.resolve("tokenizer.json"), TinyTokenizer.json());
        tokenizer = DjlTokenizer.load(folder);
    }

    @AfterAll
    static void closeOnce() {
        tokenizer.close();
    }

    @Test
    void textGoesThereAndBackWhole() {
        Cases.forEachSeed(500, seed -> {
            String text = randomText(new Random(seed), 1 + (int) seed % 60);
            int[] tokens = tokenizer.encode(text, false);
            assertThat(tokenizer.decode(tokens)).isEqualTo(text);
            assertThat(Arrays.stream(tokens).max().orElseThrow()).isLessThan(tokenizer.vocabularySize());
        });
    }

    @Test
    void aLongTextIsNotCut() {
        String text = "and the ".repeat(5_000);
        assertThat(tokenizer.decode(tokenizer.encode(text, true))).isEqualTo(text);
    }

    @Test
    void specialTokensAreAddedWhenAskedForAndLeftOutOfText() {
        int[] plain = tokenizer.encode("the end", false);
        int[] begun = tokenizer.encode("the end", true);
        assertThat(begun)
                .hasSize(plain.length + 1)
                .startsWith(TinyTokenizer.BEGIN)
                .endsWith(plain);
        assertThat(tokenizer.encode("<|im_start|>the<|end|>", false))
                .startsWith(2)
                .endsWith(TinyTokenizer.END);
        assertThat(tokenizer.decode(begun)).isEqualTo("the end");
    }

    @Test
    void aStreamSaysTokenByTokenWhatTheWholeSaysAndNeverHalfACharacter() {
        Cases.forEachSeed(500, seed -> {
            String text = randomText(new Random(seed), 1 + (int) seed % 60);
            StringBuilder streamed = new StringBuilder();
            TextTokenizer.TextStream stream = tokenizer.stream(new int[0]);
            for (int token : tokenizer.encode(text, true)) {
                String piece = stream.append(token);
                assertThat(piece).doesNotContain("\ufffd");
                assertThat(new String(piece.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                        .isEqualTo(piece);
                streamed.append(piece);
            }
            assertThat(streamed.append(stream.finish())).hasToString(text);
        });
    }

    @Test
    void bytesThatAreNoTextComeOutAsReplacementCharactersAndAreNotHeldForEver() {
        Cases.forEachSeed(200, seed -> {
            Random random = new Random(seed);
            TextTokenizer.TextStream stream = tokenizer.stream(new int[0]);
            int silent = 0;
            for (int step = 0; step < 100; step++) {
                silent = stream.append(4 + random.nextInt(256)).isEmpty() ? silent + 1 : 0;
                assertThat(silent).isLessThan(DecodedStream.HELD_TOKENS_MAX);
            }
            stream.finish();
            assertThat(stream.append(tokenizer.encode("a", false)[0])).isEqualTo("a");
        });
    }

    @Test
    void aTokensTextJoinsToTheWholeAndASpecialTokenHasItsName() {
        Cases.forEachSeed(100, seed -> {
            String text = "the " + (seed % 2 == 0 ? "end" : "and") + seed;
            StringBuilder joined = new StringBuilder();
            for (int token : tokenizer.encode(text, false)) {
                joined.append(tokenizer.text(token));
            }
            assertThat(joined).hasToString(text);
        });
        assertThat(tokenizer.text(TinyTokenizer.END)).isEqualTo("<|end|>");
        assertThat(tokenizer.text(tokenizer.encode("字", false)[0])).isEqualTo("\ufffd");
    }

    @Test
    void theFingerprintIsOfTheFile() throws IOException {
        assertThat(tokenizer.fingerprint()).matches("sha256:[0-9a-f]{32}");
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("tokenizer.json"), TinyTokenizer.json() + "\n");
        try (DjlTokenizer changed = DjlTokenizer.load(other)) {
            assertThat(changed.fingerprint()).isNotEqualTo(tokenizer.fingerprint());
        }
        assertThat(tokenizer.vocabularySize()).isLessThanOrEqualTo(TinyTokenizer.VOCABULARY_SIZE);
    }

    @Test
    void aMissingOrBrokenFileIsRefusedByName() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> DjlTokenizer.load(empty))
                .isInstanceOf(ModelLoadException.class)
                .hasMessageContaining("tokenizer.json is missing");
        Files.writeString(empty.resolve("tokenizer.json"), "{\"model\": {}}");
        assertThatThrownBy(() -> DjlTokenizer.load(empty))
                .isInstanceOf(ModelLoadException.class)
                .hasMessageContaining("tokenizer.json is no tokenizer");
    }

    private static String randomText(Random random, int letters) {
        StringBuilder text = new StringBuilder();
        for (int letter = 0; letter < letters; letter++) {
            int[] range = LETTERS[random.nextInt(LETTERS.length)];
            text.appendCodePoint(range[0] + random.nextInt(range[1] - range[0] + 1));
        }
        return text.toString();
    }
}
