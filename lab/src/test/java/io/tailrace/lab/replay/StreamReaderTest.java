package io.tailrace.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamReaderTest {
    @TempDir
    Path folder;

    private final StreamReader reader = new StreamReader(RecordedInputOptions.of(100), 3);

    @Test
    void theFirstRequestsAreReadAndThoseOfOneTokenPassedOver() throws IOException {
        Path file = write(
                "w.jsonl",
                "{\"id\":\"a\",\"prompt\":[1],\"response\":[2,3]}",
                "{\"id\":\"b\",\"prompt\":[1],\"response\":[2]}",
                "{\"id\":\"c\",\"prompt\":[1],\"response\":[2,3],\"scope\":\"t\",\"workload\":\"x\"}",
                "{\"id\":\"d\",\"prompt\":[1],\"response\":[2,3]}");
        ReplayStream stream = reader.file(file);
        assertThat(stream.name()).isEqualTo("w");
        assertThat(stream.cases()).extracting(ReplayCase::workload).containsExactly("w", "x");
        assertThat(stream.cases()).extracting(ReplayCase::scope).containsExactly("default", "t");
        assertThat(stream.cases()).extracting(ReplayCase::repeat).containsExactly(false, false);
        assertThat(stream.inOneScope().cases()).extracting(ReplayCase::repeat).containsExactly(false, true);
    }

    @Test
    void anOrderMakesOneStreamOfSeveralFiles() throws IOException {
        Path sql = write("sql.jsonl", "{\"id\":\"1\",\"prompt\":[1],\"response\":[2,3]}");
        Path chat = write("chat.jsonl", "{\"id\":\"1\",\"prompt\":[4],\"response\":[5,6]}");
        Path order = write(
                "mixed.jsonl",
                "{\"workload\":\"chat\",\"id\":\"1\"}",
                "{\"workload\":\"sql\",\"id\":\"1\",\"tenant\":\"acme\",\"phase\":1}",
                "{\"workload\":\"chat\",\"id\":\"1\"}");
        ReplayStream stream = reader.ordered(order, List.of(sql, chat));
        assertThat(stream.cases()).extracting(ReplayCase::workload).containsExactly("chat", "sql", "chat");
        assertThat(stream.cases()).extracting(ReplayCase::scope).containsExactly("default", "acme", "default");
    }

    @Test
    void anEntryWithoutARequestIsNamedByFileAndLine() throws IOException {
        Path sql = write("sql.jsonl", "{\"id\":\"1\",\"prompt\":[1],\"response\":[2,3]}");
        Path order = write("o.jsonl", "{\"workload\":\"sql\",\"id\":\"1\"}", "{\"workload\":\"sql\",\"id\":\"2\"}");
        assertThatThrownBy(() -> reader.ordered(order, List.of(sql)))
                .isInstanceOf(RecordedInputException.class)
                .hasMessageContaining("o.jsonl:2")
                .hasMessageContaining("'2'")
                .hasMessageContaining("--input");
    }

    @Test
    void aLineThatIsNoEntryIsNamed() throws IOException {
        Path broken = write("o.jsonl", "{\"workload\":\"sql\",\"id\":\"1\"}", "{\"workload\":\"sql\"}");
        assertThatThrownBy(() -> reader.ordered(broken, List.of()))
                .hasMessageContaining("o.jsonl:2")
                .hasMessageContaining("id");
        Path empty = write("e.jsonl", "");
        assertThatThrownBy(() -> reader.ordered(empty, List.of())).hasMessageContaining("at least one request");
    }

    @Test
    void shufflingKeepsTheRequestsAndFollowsTheSeed() {
        ReplayStream stream = Requests.random("w", 50, 5, 1);
        assertThat(stream.shuffled(7).cases()).containsExactlyInAnyOrderElementsOf(stream.cases());
        assertThat(stream.shuffled(7).cases()).isEqualTo(stream.shuffled(7).cases());
        assertThat(stream.shuffled(7).cases()).isNotEqualTo(stream.shuffled(8).cases());
    }

    private Path write(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }
}
