package io.tailrace.lab.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The doors' Python package of this checkout, as if it were installed, its plug-in for vLLM too; needs no network. */
final class DoorPackage {
    private static final Path SOURCES = Path.of("engines", "python", "src", "tailrace");

    private DoorPackage() {}

    /**
     * Makes a folder that Python takes for one with the package installed.
     *
     * @param home the checkout
     * @param folder new
     * @return the folder
     */
    static Path install(Path home, Path folder) throws IOException {
        Path sources = home.resolve(SOURCES).toAbsolutePath();
        if (!Files.isDirectory(sources)) {
            throw new IOException("the doors' Python package is not at %s; run from a checkout".formatted(sources));
        }
        Files.createDirectories(folder);
        Files.createSymbolicLink(folder.resolve("tailrace"), sources);
        Path about = Files.createDirectory(folder.resolve("tailrace-0.dist-info"));
        Files.writeString(about.resolve("METADATA"), "Metadata-Version: 2.1\nName: tailrace\nVersion: 0\n");
        Files.writeString(
                about.resolve("entry_points.txt"), "[vllm.general_plugins]\ntailrace = tailrace.plugin:register\n");
        return folder;
    }
}
