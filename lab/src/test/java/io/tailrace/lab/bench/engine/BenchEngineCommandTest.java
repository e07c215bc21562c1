package io.tailrace.lab.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchEngineCommandTest {
    private static BenchEngineCommand parsed(String... arguments) {
        BenchEngineCommand command = new BenchEngineCommand();
        new CommandLine(command).parseArgs(arguments);
        return command;
    }

    @Test
    void figuresSayHowTheyWereTaken() {
        BenchEngineCommand command = parsed(
                "--input",
                "some/where/code.jsonl.gz",
                "chat.jsonl.gz",
                "--batch",
                "1",
                "--batch",
                "16",
                "--requests",
                "20",
                "--replicas",
                "4",
                "--floors",
                "0.1,0.3",
                "--answer-tokens",
                "128");
        assertThat(command.settings())
                .containsEntry("inputs", List.of("code.jsonl.gz", "chat.jsonl.gz"))
                .containsEntry("requests", 20)
                .containsEntry("before", 400)
                .containsEntry("block", 8)
                .containsEntry("passes", 4)
                .containsEntry("replicas", 4)
                .containsEntry("promptTokens", 1_024)
                .containsEntry("answerTokens", 128)
                .containsEntry("draftTokens", 16)
                .containsEntry("floors", List.of(0.1, 0.3))
                .containsEntry("eager", false)
                .containsEntry(
                        "served",
                        List.of(
                                Map.of("batch", 1, "requests", 20, "block", 8),
                                Map.of("batch", 16, "requests", 64, "block", 32)));
    }

    @Test
    void aBatchThatNeedsMoreRequestsThanWereAskedForIsTold() {
        EngineBench.Options options =
                new EngineBench.Options(List.of("30m"), List.of(1, 4, 16), 48, 400, 8, 4, 8, 16, List.of(), false);
        assertThat(options.raised())
                .containsExactly("batch 16 needs 64 requests of each workload, in blocks of 32, where 48 in blocks of 8"
                        + " were asked for");
    }
}
