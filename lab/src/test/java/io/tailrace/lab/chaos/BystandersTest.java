package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BystandersTest {
    @TempDir
    private Path folder;

    private RunFolders run;
    private Bystanders bystanders;

    @BeforeEach
    void putThem() throws IOException {
        run = new RunFolders(folder);
        List<Path> folders = new ArrayList<>(List.of(run.store(), run.tasks()));
        Truth.WORKERS.forEach(worker -> folders.add(run.worker(worker)));
        for (Path made : folders) {
            Files.createDirectories(made);
        }
        bystanders = new Bystanders(run);
    }

    @Test
    void whatIsDoneToThemIsNoticed() throws IOException {
        assertThat(bystanders.touched()).isEmpty();
        Path gone = folder.resolve("bystander.segment");
        Path written = run.store().resolve("bystander.segment");
        Path used = run.worker(Truth.WORKERS.get(0)).resolve("bystander.sidecar");
        Files.delete(gone);
        Files.writeString(written, "other");
        Files.setLastModifiedTime(used, FileTime.fromMillis(0));
        assertThat(bystanders.touched())
                .containsExactlyInAnyOrder(
                        gone + " is gone", written + " has another content", used + " has another time");
    }

    @Test
    void waysLeadFromACacheToThem() throws IOException {
        Path cache = Files.createDirectory(run.worker(Truth.WORKERS.get(0)).resolve("cache"));
        assertThat(Bystanders.WAYS)
                .allSatisfy(way -> assertThat(cache.resolve(way + ".segment")).exists());
    }

    @Test
    void theyAreNoneOfTheNewNamesThatAreLookedFor() throws IOException {
        assertThat(new OutsideWatch(folder).touched()).isEmpty();
    }
}
