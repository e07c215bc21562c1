package io.tailrace.e2e.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import io.tailrace.e2e.deploy.RepositoryFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code tailrace demo --engine vllm}, as the README shows it. */
@Tag("full")
@EnabledIf(value = "io.tailrace.e2e.engine.TestEngine#isHere", disabledReason = TestEngine.ABSENT)
class EngineDemoIT {
    private static final int PROMPTS = 8;
    private static final long MINUTES_MAX = 20;

    @TempDir
    private Path folder;

    @Test
    void oneEngineDraftsWhatTheOtherHasAnswered() throws Exception {
        Path said = folder.resolve("said.txt");
        Path json = folder.resolve("demo.json");
        Process demo = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx2g",
                        "-Dtailrace.home=" + RepositoryFiles.root(),
                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Tailrace.class.getName(),
                        "demo",
                        "--engine",
                        "vllm",
                        "--environment",
                        TestEngine.folder().toString(),
                        "--requests",
                        Integer.toString(PROMPTS),
                        "--port",
                        "0",
                        "--folder",
                        folder.resolve("demo").toString(),
                        "--json",
                        json.toString()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(demo.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
        } finally {
            demo.destroy();
        }
        assertThat(demo.exitValue()).as(Files.readString(said)).isZero();
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.at("/shortcomings")).isEmpty();
        assertThat(result.at("/engines")).hasSize(2).allSatisfy(engine -> {
            assertThat(engine.at("/requests").asInt()).isEqualTo(PROMPTS);
            assertThat(engine.at("/equal").asInt()).isEqualTo(PROMPTS);
        });
        assertThat(result.at("/engines/1/acceptedFromAnswers").asInt()).isPositive();
        assertThat(result.at("/engines/1/acceptedByEngine").asInt()).isPositive();
        assertThat(result.at("/firstSharedSeconds").asDouble()).isPositive();
    }
}
