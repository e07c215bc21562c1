package io.tailrace.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonFileTest {
    @TempDir
    private Path folder;

    @Test
    void whatCanBeWrittenLeavesNothingBehind() throws IOException {
        JsonFile.check("--html", folder.resolve("new.html"));
        JsonFile.check("--html", Files.writeString(folder.resolve("old.html"), "old"));
        assertThat(folder).isDirectoryContaining("glob:**old.html");
        assertThat(folder.toFile().list()).hasSize(1);
    }

    @Test
    void whatCannotBeWrittenIsNamedAsItWasGiven() {
        assertThatThrownBy(() -> JsonFile.check("--html", folder.resolve("none/x.html")))
                .hasMessageContaining("--html " + folder.resolve("none/x.html"))
                .hasMessageContaining("its folder must exist");
        assertThatThrownBy(() -> JsonFile.check("--html", Path.of("/proc/x.html")))
                .hasMessage("--html /proc/x.html: no file can be written there; name another");
    }
}
