package io.tailrace.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptStateTest {
    @TempDir
    Path folder;

    @Test
    void theNewestCompleteStateIsFoundAmongCheckpointsAndSavepoints() throws IOException {
        assertThat(LocalFlink.KeptState.newest(folder.resolve("new"))).isEmpty();
        assertThat(LocalFlink.KeptState.newest(folder)).isEmpty();
        Path checkpoint = state("checkpoints/0a1b/chk-7", 2_000);
        assertThat(LocalFlink.KeptState.newest(folder)).contains(checkpoint);
        Path savepoint = state("savepoints/savepoint-0a1b-77", 3_000);
        assertThat(LocalFlink.KeptState.newest(folder)).contains(savepoint);
        state("checkpoints/0a1b/chk-6", 1_000);
        assertThat(LocalFlink.KeptState.newest(folder)).contains(savepoint);
    }

    @Test
    void whatIsNotCompleteIsNoState() throws IOException {
        Files.createDirectories(folder.resolve("checkpoints/0a1b/chk-8"));
        Files.writeString(folder.resolve("checkpoints/0a1b/chk-8/part"), "x");
        assertThat(LocalFlink.KeptState.newest(folder)).isEmpty();
    }

    private Path state(String name, long millis) throws IOException {
        Path made = Files.createDirectories(folder.resolve(name));
        Path metadata = Files.writeString(made.resolve("_metadata"), "x");
        Files.setLastModifiedTime(metadata, FileTime.fromMillis(millis));
        return made;
    }
}
