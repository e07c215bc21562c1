package io.tailrace.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequests;
import io.tailrace.worker.huggingface.JinjaChatTemplate;
import io.tailrace.worker.model.TextTokenizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** A log of any format, packed or not; the first byte decides whether the format is recognised or given, and which. */
class LogsFuzzTest {
    private static final int VOCABULARY = 1_000;

    @TempDir
    static Path folder;

    private static JinjaChatTemplate template;

    @BeforeAll
    static void load() throws IOException {
        LogExamples.model(folder);
        template = JinjaChatTemplate.find(folder).orElseThrow();
    }

    static Stream<byte[]> seeds() {
        return Stream.concat(
                texts().map(text -> seed(0, text.getBytes(StandardCharsets.UTF_8))),
                Stream.of(seed(0, gzip(LogExamples.openai())), seed(0, parquet()), seed(9, gzip(LogExamples.csv()))));
    }

    private static Stream<String> texts() {
        return Stream.of(
                LogExamples.openai(),
                LogExamples.openaiLines(),
                LogExamples.batchRequests() + LogExamples.batchResponses(),
                LogExamples.conversation(),
                LogExamples.shareGpt(),
                LogExamples.liteLlm(),
                LogExamples.langfuse(),
                "\ufeff{\"data\":[%s],\"meta\":{}}"
                        .formatted(LogExamples.langfuse().strip().replace("\n", ",")),
                LogExamples.langfuseCsv(),
                LogExamples.csv(),
                LogExamples.tsv(),
                LogExamples.vllm(),
                LogExamples.vllmDetails(),
                LogExamples.sglang(),
                LogExamples.sglangJson(true),
                "{\"id\":\"a\",\"prompt\":[1,2],\"response\":[3]}\n{\"id\":\"b\",\"parent\":\"a\",\"response\":[5,6]}\n");
    }

    private static byte[] seed(int first, byte[] log) {
        byte[] seed = new byte[1 + log.length];
        seed[0] = (byte) first;
        System.arraycopy(log, 0, seed, 1, log.length);
        return seed;
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    private static byte[] parquet() {
        try {
            Path file = Files.createTempDirectory("rows").resolve("rows.parquet");
            LogExamples.parquet(file);
            byte[] bytes = Files.readAllBytes(file);
            Files.delete(file);
            Files.delete(file.getParent());
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @MethodSource("seeds")
    @FuzzTest
    void aLogIsReadOrRefused(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        Path file = Files.write(folder.resolve("log.jsonl"), Arrays.copyOfRange(data, 1, data.length));
        LogFormat[] formats = LogFormat.values();
        LogFormat given = data[0] > 0 && data[0] <= formats.length ? formats[data[0] - 1] : null;
        Map<String, String> columns = data[0] == 9 ? Map.of("prompt", "question", "response", "reply") : Map.of();
        List<RecordedInputException> bad = new ArrayList<>();
        Logs logs = new Logs(
                given, columns, new LogTokenizer(Optional.of(new CharactersTokenizer()), Optional.of(template)));
        try (RecordedRequests requests = logs.open(
                file,
                RecordedInputOptions.of(VOCABULARY),
                bad::add,
                told -> assertThat(told).isNotBlank())) {
            requests.forEachRemaining(request -> {
                assertThat(request.id()).isNotEmpty();
                assertThat(request.response()).isNotEmpty();
                assertThat(Arrays.stream(request.response()).filter(token -> token < 0 || token >= VOCABULARY))
                        .isEmpty();
            });
        } catch (RecordedInputException unreadable) {
            bad.add(unreadable);
        }
        assertThat(bad).allSatisfy(each -> assertThat(each).hasMessageContaining(file.toString()));
    }

    /** A token a character, by its number modulo the vocabulary. */
    private static final class CharactersTokenizer implements TextTokenizer {
        @Override
        public int vocabularySize() {
            return VOCABULARY;
        }

        @Override
        public int tokenCharsMax() {
            return 1;
        }

        @Override
        public String fingerprint() {
            return "characters";
        }

        @Override
        public int[] encode(String text, boolean specialTokens) {
            return text.chars().map(character -> character % VOCABULARY).toArray();
        }

        @Override
        public String decode(int[] tokens) {
            return new String(tokens, 0, tokens.length);
        }

        @Override
        public String text(int token) {
            throw new AssertionError("logs are not decoded");
        }

        @Override
        public TextStream stream(int[] before) {
            throw new AssertionError("logs are not decoded");
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
