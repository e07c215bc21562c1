package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.model.LetterTokenizer;
import io.tailrace.worker.model.TextTokenizer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Making text of tokens costs as much as a draft: each token of an answer is made into text once, whoever wants the text. */
class TextOnceTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"'',false", "'',true", "',\"stop\":[\"zzzz\"]',false", "',\"stop\":[\"zzzz\"]',true"})
    void eachTokenOfAnAnswerIsMadeIntoTextOnce(String stop, boolean stream) throws Exception {
        CountingTokenizer tokenizer = new CountingTokenizer(new LetterTokenizer(), new AtomicInteger());
        try (TestWorker worker = TestWorker.start(
                folder,
                TestWorker.repeating(),
                tokenizer,
                EndpointOptions.defaults(),
                UnaryOperator.<ServingWorkerOptions>identity())) {
            HttpResponse<String> answer = worker.post(
                    "/v1/completions",
                    "{\"model\":\"letters\",\"prompt\":\"once\",\"max_tokens\":40,\"temperature\":0,\"stream\":%s%s}"
                            .formatted(stream, stop));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(tokenizer.appended).hasValue(40);
        }
    }

    private record CountingTokenizer(TextTokenizer counted, AtomicInteger appended) implements TextTokenizer {
        @Override
        public int vocabularySize() {
            return counted.vocabularySize();
        }

        @Override
        public int tokenCharsMax() {
            return counted.tokenCharsMax();
        }

        @Override
        public String fingerprint() {
            return counted.fingerprint();
        }

        @Override
        public int[] encode(String text, boolean specialTokens) {
            return counted.encode(text, specialTokens);
        }

        @Override
        public String decode(int[] tokens) {
            return counted.decode(tokens);
        }

        @Override
        public String text(int token) {
            return counted.text(token);
        }

        @Override
        public TextTokenizer.TextStream stream(int[] before) {
            TextTokenizer.TextStream stream = counted.stream(before);
            return new TextTokenizer.TextStream() {
                @Override
                public String append(int token) {
                    appended.incrementAndGet();
                    return stream.append(token);
                }

                @Override
                public String finish() {
                    return stream.finish();
                }
            };
        }

        @Override
        public void close() {
            counted.close();
        }
    }
}
