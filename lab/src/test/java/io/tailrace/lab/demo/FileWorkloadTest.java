package io.tailrace.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileWorkloadTest {
    private static final int VOCABULARY = 100;

    @TempDir
    private Path folder;

    @Test
    void filesAreDealtInTurnAndTheLongerOneGoesOn() throws IOException {
        Path sql = write("sql.jsonl", line("s1"), line("s2"), line("s3"));
        Path chat = write("chat.jsonl", line("c1"));
        try (FileWorkload workload = FileWorkload.check(List.of(sql, chat), VOCABULARY, null)) {
            assertThat(workload.requests()).isEqualTo(4);
            assertThat(ids(workload)).containsExactly("s1", "c1", "s2", "s3");
        }
    }

    @Test
    void aRequestWithoutWorkloadBelongsToItsFile() throws IOException {
        Path sql = write("sql.jsonl", line("s1"));
        try (FileWorkload workload = FileWorkload.check(List.of(sql), VOCABULARY, null)) {
            assertThat(workload.iterator().next().workload()).isEqualTo("sql");
        }
    }

    @Test
    void badLinesAreReportedCountedAndLeftOutWhenTheyMayBe() throws IOException {
        Path file = write("mixed.jsonl", line("a"), "{", line("b"), "{\"id\":\"c\",\"response\":[]}");
        List<RecordedInputException> reported = new ArrayList<>();
        try (FileWorkload workload = FileWorkload.check(List.of(file), VOCABULARY, reported::add)) {
            assertThat(workload.badLines()).isEqualTo(2);
            assertThat(reported).extracting(RecordedInputException::line).containsExactly(2L, 4L);
            assertThat(workload.requests()).isEqualTo(2);
            assertThat(ids(workload)).containsExactly("a", "b");
        }
    }

    @Test
    void withoutABoundTheModelHasAsManyTokensAsTheFilesNeed() throws IOException {
        Path prompt = write("qwen.jsonl", "{\"id\":\"q\",\"prompt\":[151935],\"response\":[3,4]}", line("a"));
        try (FileWorkload workload = FileWorkload.check(List.of(prompt), RecordedInputOptions.UNBOUNDED, null)) {
            assertThat(workload.model().vocabularySize()).isEqualTo(151_936);
        }
        Path response = write("llama.jsonl", "{\"id\":\"l\",\"response\":[3,128009]}");
        try (FileWorkload workload = FileWorkload.check(List.of(response), RecordedInputOptions.UNBOUNDED, null)) {
            assertThat(workload.model().vocabularySize()).isEqualTo(128_010);
        }
        try (FileWorkload workload = FileWorkload.check(List.of(response), 128_256, null)) {
            assertThat(workload.model().vocabularySize()).isEqualTo(128_256);
        }
    }

    private Path write(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), Arrays.asList(lines));
    }

    private static String line(String id) {
        return "{\"id\":\"%s\",\"prompt\":[1,2],\"response\":[3,4]}".formatted(id);
    }

    private static List<String> ids(DemoWorkload workload) {
        List<String> ids = new ArrayList<>();
        Iterator<RecordedRequest> requests = workload.iterator();
        requests.forEachRemaining(request -> ids.add(request.id()));
        return ids;
    }
}
