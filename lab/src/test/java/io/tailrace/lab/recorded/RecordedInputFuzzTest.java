package io.tailrace.lab.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** A file of recorded input, packed or not. */
class RecordedInputFuzzTest {
    private static final String LINES = """
            {"id":"a","prompt":[1,2],"response":[3]}
            {"id":"b","parent":"a","prompt":[4],"response":[5,6],"session":"s"}

            {"id":"c","parent":"nobody","response":[5]}
            {"id":"a","parent":"a","response":[5]}
            """;

    @TempDir
    static Path folder;

    static Stream<byte[]> seeds() {
        byte[] lines = LINES.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Stream.of(lines, packed.toByteArray());
    }

    @MethodSource("seeds")
    @FuzzTest
    void aFileIsReadOrRefused(byte[] data) throws Exception {
        Path file = Files.write(folder.resolve("input.jsonl"), data);
        List<RecordedInputException> badLines = new ArrayList<>();
        try (RecordedInput input =
                RecordedInput.lenient(List.of(file), RecordedInputOptions.of(1_000), badLines::add)) {
            while (input.hasNext()) {
                assertThat(input.next().response()).isNotEmpty();
            }
            assertThat(input.badLines()).isEqualTo(badLines.size());
        } catch (RecordedInputException unreadable) {
            assertThat(unreadable).hasMessageContaining(file.toString());
        }
        for (RecordedInputException badLine : badLines) {
            assertThat(badLine).hasMessageContaining(file.toString());
        }
    }
}
