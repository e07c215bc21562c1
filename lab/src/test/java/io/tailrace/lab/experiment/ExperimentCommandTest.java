package io.tailrace.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String inputs;

    @BeforeEach
    void writeRequests() throws IOException {
        inputs = " --input " + requests("chat", 1) + " " + requests("sql", 2) + " " + requests("code", 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"strategies", "sources", "silos", "freshness", "sampling"})
    void everyExperimentEndsWithTables(String name) {
        assertThat(run("bench " + name + inputs + " --budget 4 --threads 2")).isZero();
        assertThat(out.toString()).contains("budget 4", "chat", "sql", "**pooled**");
        assertThat(out.toString()).contains("held-out, trained on the first 100 requests of other inputs.");
    }

    @Test
    void anIndexOfSeveralSizesNeedsEnoughRequests() {
        assertThat(run("bench index-size" + inputs + " --budget 4 --evaluated 4 --weights untrained"))
                .isZero();
        assertThat(out.toString()).contains("256", "all workloads", "chat");
    }

    @Test
    void aShiftIsMeasuredWithWeightsOfOtherWorkloads() throws IOException {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            entries.add("{\"workload\":\"%s\",\"id\":\"%d\"}".formatted(i < 30 ? "chat" : "sql", i));
        }
        Path order = Files.write(folder.resolve("order.jsonl"), entries);
        assertThat(run("bench offline-shift --order " + order + inputs)).isZero();
        assertThat(out.toString()).contains("4 workers, no lag", "1 to 15 after", "15 held-back");
    }

    @Test
    void aPageKeepsWhatStandsAroundTheFigures() throws IOException {
        Path page = folder.resolve("PAGE.md");
        Files.writeString(page, "# Title\n\nAbove.\n");
        String command = "bench freshness --budget 4 --weights untrained --page " + page + inputs;
        assertThat(run(command)).isZero();
        Files.writeString(page, Files.readString(page) + "\nBelow.\n");
        assertThat(run(command)).isZero();
        String text = Files.readString(page);
        assertThat(text).startsWith("# Title\n\nAbove.\n").endsWith("\nBelow.\n");
        assertThat(text.split("figures: freshness", -1)).hasSize(2);
        assertThat(text)
                .contains("`./tailrace bench freshness", "Inputs: chat.jsonl, sql.jsonl", "commit ", "| every 8 |")
                .contains("\n\nMixer weights at the start: untrained; all is learned from the replayed requests.\n\n");
        assertThat(text).contains("--page PAGE.md --input FILES`").doesNotContain(folder.toString());
    }

    @Test
    void partsSayWhatTheyTakeInSegments() throws IOException {
        Path json = folder.resolve("parts.json");
        assertThat(run("bench parts --budget 4 --threads 2 --weights untrained --json " + json + inputs))
                .isZero();
        assertThat(out.toString()).contains("segment bytes a response token");
        JsonNode table =
                new ObjectMapper().readTree(json.toFile()).path("tables").path(2);
        assertThat(table.path("title").asText()).isEqualTo("segment bytes a response token");
        assertThat(table.path("rows")).hasSize(4).allSatisfy(row -> {
            double all = row.path("all").doubleValue();
            assertThat(row).hasSize(5);
            for (String part : List.of("tail", "similar", "token")) {
                assertThat(row.path("without " + part).doubleValue())
                        .as(part)
                        .isPositive()
                        .isLessThan(all);
            }
        });
    }

    @Test
    void everyPartSaysHowLongADraftTakesAloneAndWithoutIt() throws IOException {
        Path json = folder.resolve("parts.json");
        String command = "bench parts --budget 4,8 --requests 40 --weights untrained --json " + json + inputs;
        assertThat(run(command)).isZero();
        assertThat(out.toString()).contains("draft, us p50");
        JsonNode rows = draftTimes(json);
        assertThat(rows).hasSize(16).allSatisfy(row -> {
            assertThat(row.path("adaptive, budget 4").doubleValue()).isPositive();
            assertThat(row.path("adaptive, budget 8").doubleValue()).isPositive();
        });
        assertThat(rows.findValuesAsText("variant"))
                .contains("all", "none", "without tail", "only tail", "without said", "only said", "only token");
    }

    private static JsonNode draftTimes(Path json) throws IOException {
        JsonNode table =
                new ObjectMapper().readTree(json.toFile()).path("tables").path(5);
        assertThat(table.path("title").asText()).isEqualTo("draft, us p50");
        return table.path("rows");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bench silos --strategy nonsense | no strategy is named nonsense",
                "bench silos --budget 65 | --budget must be 0 to 64",
                "bench silos --weights best | --weights must be",
                "bench silos --page /no/such/PAGE.md | folder must exist",
                "bench offline-shift --order /no/such/file | /no/such/file",
                "bench index-size --evaluated 1 | --evaluated must be at least 2"
            })
    void badOptionsAreSaidAndExitWith2(String command, String rule) {
        assertThat(run(command + inputs)).isEqualTo(2);
        assertThat(err.toString()).contains(rule).doesNotContain("Exception");
    }

    private Path requests(String name, long seed) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        String pattern = ids(random, 6);
        for (int i = 0; i < 300; i++) {
            lines.add("{\"id\":\"%d\",\"prompt\":[%s],\"response\":[%s,%s]}"
                    .formatted(i, ids(random, 3), pattern, ids(random, 2)));
        }
        return Files.write(folder.resolve(name + ".jsonl"), lines);
    }

    private static String ids(Random random, int count) {
        return random.ints(count, 0, 500).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    private int run(String arguments) {
        return Tailrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.split(" +"));
    }
}
