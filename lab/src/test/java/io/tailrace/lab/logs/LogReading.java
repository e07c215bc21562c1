package io.tailrace.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.recorded.RecordedRequests;
import io.tailrace.worker.djl.DjlTokenizer;
import io.tailrace.worker.huggingface.JinjaChatTemplate;
import io.tailrace.worker.model.TextTokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Reads logs that a test writes, with a small tokenizer and its chat template. */
abstract class LogReading {
    @TempDir
    static Path folder;

    static TextTokenizer tokenizer;
    static JinjaChatTemplate template;

    final List<String> told = new ArrayList<>();
    final List<RecordedInputException> bad = new ArrayList<>();

    @BeforeAll
    static void loadOnce() throws IOException {
        LogExamples.model(folder);
        tokenizer = DjlTokenizer.load(folder);
        template = JinjaChatTemplate.find(folder).orElseThrow();
    }

    @AfterAll
    static void closeOnce() {
        tokenizer.close();
    }

    static LogTokenizer known() {
        return new LogTokenizer(Optional.of(tokenizer), Optional.of(template));
    }

    static Logs logs() {
        return new Logs(null, Map.of(), known());
    }

    static Path write(String name, String text) throws IOException {
        return LogExamples.write(folder.resolve(name), text);
    }

    List<RecordedRequest> read(Logs logs, Path file) {
        List<RecordedRequest> read = new ArrayList<>();
        try (RecordedRequests requests =
                logs.open(file, RecordedInputOptions.of(RecordedInputOptions.UNBOUNDED), bad::add, told::add)) {
            requests.forEachRemaining(read::add);
        }
        return read;
    }

    void strict(Path file) {
        strict(logs(), file);
    }

    void strict(Logs logs, Path file) {
        try (RecordedRequests requests = logs.open(
                file,
                RecordedInputOptions.of(RecordedInputOptions.UNBOUNDED),
                badLine -> {
                    throw badLine;
                },
                told::add)) {
            requests.forEachRemaining(request -> {});
        }
    }

    void assertBoth(List<RecordedRequest> read) {
        assertThat(read).as(() -> bad.toString()).hasSize(2);
        assertThat(read.get(0).prompt()).isEqualTo(tokenizer.encode(LogExamples.ASKED_1, false));
        assertThat(read.get(0).response()).isEqualTo(tokenizer.encode(LogExamples.SAID_1, false));
        assertThat(read.get(1).prompt()).isEqualTo(tokenizer.encode(LogExamples.ASKED_2, false));
        assertThat(read.get(1).response()).isEqualTo(tokenizer.encode(LogExamples.SAID_2, false));
    }
}
