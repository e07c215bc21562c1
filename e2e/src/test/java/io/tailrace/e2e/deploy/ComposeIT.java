package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docker-compose.yml, started for real by deploy/docker/try-compose.sh, where there is a Docker engine. */
@Tag("full")
class ComposeIT {
    private static final long MINUTES_MAX = 30;
    private static final int NO_ENGINE = 3;

    @TempDir
    private Path folder;

    @Test
    void theContainersShareAnswersBearKillsAndKeepWhatTheyHave() throws Exception {
        Path output = folder.resolve("output");
        Process script = new ProcessBuilder(RepositoryFiles.root()
                        .resolve("deploy/docker/try-compose.sh")
                        .toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = script.waitFor(MINUTES_MAX, TimeUnit.MINUTES);
        if (!ended) {
            script.destroy(); // takes its containers down
            script.waitFor();
        }
        String said = Files.readString(output);
        System.out.print(said);
        assertThat(ended).as("ends within %d minutes", MINUTES_MAX).isTrue();
        assumeFalse(script.exitValue() == NO_ENGINE, said);
        assertThat(script.exitValue()).as(said).isZero();
        assertThat(said).contains("segment for who has keys alone");
        assertThat(shown())
                .hasSizeGreaterThan(19)
                .allSatisfy(command -> assertThat(said).contains("typed: " + command));
    }

    /** What pages tell people with Compose to type. */
    private static List<String> shown() {
        return Stream.of(
                        PageCommands.of("docs/how-to/run-a-fleet.md").in("## With Docker Compose").commands().stream(),
                        PageCommands.of("docs/how-to/upgrade.md")
                                .in("### Back to a savepoint with Docker Compose")
                                .commands()
                                .stream(),
                        PageCommands.of("docs/how-to/restore.md").in("## With buckets").commands().stream()
                                .filter(command -> !command.startsWith("kubectl ")),
                        PageCommands.of("docs/how-to/rotate.md").in("## The store's credentials").commands().stream(),
                        PageCommands.of("docs/how-to/runbooks.md").commands().stream()
                                .filter(command -> command.startsWith("docker compose ")))
                .flatMap(commands -> commands)
                .toList();
    }
}
