package io.tailrace.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.cli.Tailrace;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.recorded.RecordedRequests;
import io.tailrace.worker.djl.DjlTokenizer;
import io.tailrace.worker.huggingface.JinjaChatTemplate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every format, converted to token ids: the same requests come back, and replay gives the same figures on both. */
class ConvertedLogsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private final StringWriter said = new StringWriter();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "calls.jsonl.gz",
                "lines.jsonl.zst",
                "talk.jsonl",
                "sharegpt.json",
                "sharegpt.json.zst",
                "litellm.jsonl",
                "callbacks.jsonl",
                "spend.csv",
                "langfuse.jsonl",
                "langfuse.csv",
                "vllm.log",
                "vllm.log.gz",
                "details.log",
                "sglang.log",
                "events.log",
                "table.csv",
                "table.csv.gz",
                "table.tsv",
                "table.parquet",
                "rows.parquet",
                "ids.jsonl"
            })
    void aLogComesBackFromItsTokenIdsWithTheSameFigures(String name) throws IOException {
        Path log = folder.resolve(name);
        if (name.equals("table.parquet")) {
            LogExamples.parquet(log, "question", "reply", CompressionCodecName.SNAPPY);
        } else if (name.endsWith(".parquet")) {
            LogExamples.parquet(log);
        } else {
            LogExamples.write(log, text(name));
        }
        Map<String, String> columns =
                name.startsWith("table") ? Map.of("prompt", "question", "response", "reply") : Map.of();
        assertComesBack(columns, log);
    }

    /** A batch stands in two files. */
    @Test
    void aBatchComesBackToo() throws IOException {
        Path asked = LogExamples.write(folder.resolve("asked.jsonl"), LogExamples.batchRequests());
        Path answered = LogExamples.write(folder.resolve("answered.jsonl"), LogExamples.batchResponses());
        List<RecordedRequest> requests = assertComesBack(Map.of(), asked, answered);
        assertThat(requests).extracting(RecordedRequest::id).containsExactly("batch_req_1", "batch_req_2");
    }

    private List<RecordedRequest> assertComesBack(Map<String, String> columns, Path... logs) throws IOException {
        LogExamples.model(folder);
        String files = Arrays.stream(logs).map(Path::toString).collect(Collectors.joining(" "));
        String how = "--input %s --tokenizer %s%s"
                .formatted(files, folder, columns.isEmpty() ? "" : " --columns prompt=question,response=reply");
        Path ids = folder.resolve("converted.jsonl.gz");
        run("convert %s --output %s".formatted(how, ids));
        List<RecordedRequest> before = read(columns, logs);
        List<RecordedRequest> after = read(Map.of(), ids).stream()
                .map(request -> request.withId(request.id().replace("#2", ""))) // an id that the log repeats
                .toList();
        assertThat(before).hasSizeGreaterThan(1);
        assertThat(after)
                .usingRecursiveComparison()
                .ignoringFields("position", "parent")
                .isEqualTo(before);
        assertThat(figures("--input " + ids)).isNotEmpty().isEqualTo(figures(how));
        return before;
    }

    private static String text(String name) {
        return switch (name) {
            case "callbacks.jsonl" -> LogExamples.liteLlmCallbacks();
            case "spend.csv" -> LogExamples.liteLlmSpendLogs();
            case "calls.jsonl.gz" -> LogExamples.openai();
            case "lines.jsonl.zst" -> LogExamples.openaiLines();
            case "talk.jsonl" -> LogExamples.conversation();
            case "sharegpt.json", "sharegpt.json.zst" -> LogExamples.shareGpt();
            case "litellm.jsonl" -> LogExamples.liteLlm();
            case "langfuse.jsonl" -> LogExamples.langfuse();
            case "langfuse.csv" -> LogExamples.langfuseCsv();
            case "vllm.log", "vllm.log.gz" -> LogExamples.vllm();
            case "details.log" -> LogExamples.vllmDetails();
            case "sglang.log" -> LogExamples.sglang();
            case "events.log" -> LogExamples.sglangJson(true);
            case "table.csv", "table.csv.gz" -> LogExamples.csv();
            case "table.tsv" -> LogExamples.tsv();
            default ->
                "{\"id\":\"a\",\"prompt\":[1,2],\"response\":[3,4]}\n{\"id\":\"b\",\"parent\":\"a\",\"prompt\":[7],\"response\":[3,4]}\n";
        };
    }

    private List<RecordedRequest> read(Map<String, String> columns, Path... files) {
        List<RecordedRequest> read = new ArrayList<>();
        try (DjlTokenizer tokenizer = DjlTokenizer.load(folder)) {
            Logs logs =
                    new Logs(null, columns, new LogTokenizer(Optional.of(tokenizer), JinjaChatTemplate.find(folder)));
            for (Path file : files) {
                try (RecordedRequests requests = logs.open(
                        file,
                        RecordedInputOptions.of(RecordedInputOptions.UNBOUNDED),
                        bad -> {
                            throw bad;
                        },
                        told -> {})) {
                    requests.forEachRemaining(read::add);
                }
            }
        }
        return read;
    }

    /** Without what depends on the machine and on the file's name. */
    private List<JsonNode> figures(String inputs) throws IOException {
        Path json = folder.resolve("figures.json");
        run("replay %s --budget 8 --json %s".formatted(inputs, json));
        List<JsonNode> rows = new ArrayList<>();
        for (JsonNode row : JSON.readTree(Files.readString(json)).path("pooled")) {
            rows.add(((ObjectNode) row).without("draftMicros"));
        }
        return rows;
    }

    private void run(String arguments) {
        int code = Tailrace.commandLine()
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .execute(arguments.split(" +"));
        assertThat(code).as(said::toString).isZero();
    }
}
