package io.tailrace.cli.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where copies of the store's files lie while an audit reads them. They hold what users have said: when it is closed they go, however the reading ended. */
final class CopyFolder implements AutoCloseable {
    private final Path folder;

    private CopyFolder(Path folder) {
        this.folder = folder;
    }

    /** A fresh one in the system's temporary folder, for its owner only. */
    static CopyFolder open() throws IOException {
        return new CopyFolder(Files.createTempDirectory("tailrace-audit"));
    }

    /** Where a file of this name lies in it. */
    Path file(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() throws IOException {
        List<Path> copies;
        try (Stream<Path> all = Files.list(folder)) {
            copies = all.toList();
        }
        for (Path copy : copies) {
            Files.deleteIfExists(copy);
        }
        Files.deleteIfExists(folder);
    }
}
