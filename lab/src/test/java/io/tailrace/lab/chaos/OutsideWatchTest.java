package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.local.cluster.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutsideWatchTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsOutsideOfARunsFoldersIsNoticed() throws Exception {
        Path root = Files.createDirectories(folder.resolve("run"));
        Path log = root.resolve("cat.log");
        Files.createFile(log);
        OutsideWatch watch = new OutsideWatch(root);
        Path elsewhere = folder.resolve("elsewhere");
        ChildProcess writer = new ChildProcess(new ChildProcess.Command(
                "writer",
                List.of("sh", "-c", "exec 9>" + elsewhere + "; echo open; exec sleep 60"),
                Map.of(),
                root,
                log));
        try (writer) {
            writer.start();
            writer.awaitWords("open", 10);
            watch.look(List.of(writer));
        }
        Files.createFile(root.resolve("stray"));
        assertThat(watch.touched())
                .containsExactlyInAnyOrder(
                        "writer has " + elsewhere + " open for writing",
                        root.resolve("stray") + " is there, and none of the run's");
    }
}
