package io.tailrace.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoorPackageTest {
    private static final Path HOME = Path.of("..");

    @TempDir
    private Path folder;

    @Test
    void thePluginIsFoundAsInThePackagesOwnFile() throws IOException {
        Path site = DoorPackage.install(HOME, folder.resolve("doors"));
        assertThat(site.resolve("tailrace").resolve("plugin.py")).isRegularFile();
        assertThat(site.resolve("tailrace-0.dist-info").resolve("entry_points.txt"))
                .content()
                .isEqualTo("[vllm.general_plugins]\ntailrace = tailrace.plugin:register\n");
        assertThat(Files.readString(HOME.resolve("engines/python/pyproject.toml")))
                .contains("[project.entry-points.\"vllm.general_plugins\"]\ntailrace = \"tailrace.plugin:register\"\n");
    }

    @Test
    void outsideOfACheckoutItIsSaid() {
        assertThatThrownBy(() -> DoorPackage.install(folder, folder.resolve("doors")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("checkout");
    }
}
