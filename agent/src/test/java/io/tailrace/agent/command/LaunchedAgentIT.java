package io.tailrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.TestDoor;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent with the class path that the launcher gives it, which is neither the tests' nor that of the other commands. */
class LaunchedAgentIT {
    private static final Path CLASS_PATH = Path.of("target", "classpath.txt");
    private static final long END_SECONDS_MAX = 60;

    @TempDir
    private Path folder;

    @Test
    void neitherFlinkNorAModelsLibraryNorTheWorkerIsOnIt() throws IOException {
        assertThat(classPath().split(File.pathSeparator))
                .hasSizeGreaterThan(20)
                .noneMatch(
                        entry -> entry.matches(".*(/flink-|/ai/djl/|pytorch|tailrace-(operators|jobs|worker|gpu)).*"));
    }

    @Test
    void itHasAllThatAnAgentNeedsToDraft() throws IOException, InterruptedException {
        Path socket = folder.resolve("agent.sock");
        Process agent = start(socket);
        try (BufferedReader said = agent.inputReader(StandardCharsets.UTF_8)) {
            StringBuilder all = new StringBuilder();
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                all.append(line).append('\n');
                if (line.startsWith("status and metrics at ")) {
                    break;
                }
            }
            assertThat(all)
                    .contains("engines connect at " + socket)
                    .as("digits, on a machine that writes others")
                    .containsPattern("status and metrics at http://127\\.0\\.0\\.1:[0-9]+/");
            int[] answer = {51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62};
            try (TestDoor door = new TestDoor(socket)) {
                assertThat(door.hello("engine-1", 100, "llama", "sha256:0")).isNull();
                assertThat(door.serve("a", "", answer)).isEqualTo(answer.length);
                door.awaitRemembered();
                assertThat(door.serve("b", "", answer)).isLessThan(answer.length);
            }
            agent.destroy();
            assertThat(agent.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            agent.destroyForcibly();
        }
    }

    private Process start(Path socket) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Duser.language=ar",
                        "-Duser.country=EG",
                        "-cp",
                        Path.of("target", "classes").toAbsolutePath() + File.pathSeparator + classPath(),
                        AgentMain.class.getName(),
                        "agent",
                        "--listen",
                        socket.toString(),
                        "--kept",
                        folder.resolve("kept").toString(),
                        "--cache",
                        folder.resolve("cache").toString(),
                        "--fixed-floor",
                        "0.1",
                        "--port",
                        "0"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private static String classPath() throws IOException {
        return Files.readString(CLASS_PATH).strip();
    }
}
