package io.tailrace.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptStateTest {
    @TempDir
    Path folder;

    private final List<String> skipped = new ArrayList<>();

    @Test
    void theNewestCompleteStateIsFoundAmongCheckpointsAndSavepoints() throws IOException {
        assertThat(LocalFlink.KeptState.newest(folder.resolve("new"), skipped::add))
                .isEmpty();
        assertThat(LocalFlink.KeptState.newest(folder, skipped::add)).isEmpty();
        Path checkpoint = state("checkpoints/0a1b/chk-7", 2_000);
        assertThat(LocalFlink.KeptState.newest(folder, skipped::add)).contains(checkpoint);
        Path savepoint = state("savepoints/savepoint-0a1b-77", 3_000);
        assertThat(LocalFlink.KeptState.newest(folder, skipped::add)).contains(savepoint);
        state("checkpoints/0a1b/chk-6", 1_000);
        assertThat(LocalFlink.KeptState.newest(folder, skipped::add)).contains(savepoint);
    }

    @Test
    void whatIsNotCompleteIsNoState() throws IOException {
        Files.createDirectories(folder.resolve("checkpoints/0a1b/chk-8"));
        Files.writeString(folder.resolve("checkpoints/0a1b/chk-8/part"), "x");
        assertThat(LocalFlink.KeptState.newest(folder, skipped::add)).isEmpty();
    }

    @Test
    void theNewestThatIsIntactIsFoundAndWhatIsSkippedIsTold() throws IOException {
        Path older = state("checkpoints/0a1b/chk-7", 1_000);
        Path newer = state("checkpoints/0a1b/chk-8", 2_000);
        Files.write(newer.resolve("_metadata"), new byte[3]);
        Files.setLastModifiedTime(newer.resolve("_metadata"), FileTime.fromMillis(2_000));
        assertThat(LocalFlink.KeptState.newest(folder, skipped::add)).contains(older);
        assertThat(skipped).singleElement().asString().startsWith(newer + " is not intact and is skipped: ");
        Files.write(older.resolve("_metadata"), new byte[3]);
        Files.setLastModifiedTime(older.resolve("_metadata"), FileTime.fromMillis(1_000));
        assertThat(LocalFlink.KeptState.newest(folder, skipped::add))
                .as("there is state, so no job begins without")
                .contains(newer);
    }

    private Path state(String name, long millis) throws IOException {
        Path made = Files.createDirectories(folder.resolve(name));
        Path metadata = made.resolve("_metadata");
        try (OutputStream out = Files.newOutputStream(metadata)) {
            Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(1, List.of(), List.of()), out);
        }
        Files.setLastModifiedTime(metadata, FileTime.fromMillis(millis));
        return made;
    }
}
