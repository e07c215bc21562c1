package io.tailrace.e2e.simulation;

import static io.tailrace.e2e.simulation.BrokenInvariantException.broken;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/** Files beside a worker's cache, which are none of its own: whatever a manifest names, they stay as they are. */
final class Bystanders {
    /** From within the cache to them, without their ending. */
    static final String WAY = "../bystander";

    private static final List<String> NAMES = List.of("bystander.segment", "bystander.sidecar");
    private static final FileTime TIME = FileTime.fromMillis(World.START);

    private final Path folder;
    private final Path cache;

    /** Puts them into a folder, with a cache beside them. */
    Bystanders(Path folder) throws IOException {
        this.folder = folder;
        this.cache = Files.createDirectories(folder.resolve("cache"));
        for (String name : NAMES) {
            Files.setLastModifiedTime(Files.writeString(folder.resolve(name), name), TIME);
        }
    }

    Path cache() {
        return cache;
    }

    void check() {
        try {
            for (String name : NAMES) {
                checkFile(folder.resolve(name), name);
            }
            try (Stream<Path> there = Files.list(folder)) {
                if (there.count() != NAMES.size() + 1) {
                    throw broken("there is more beside the worker's cache than was");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void checkFile(Path file, String content) throws IOException {
        boolean untouched = Files.exists(file)
                && Files.readString(file).equals(content)
                && Files.getLastModifiedTime(file).equals(TIME);
        if (!untouched) {
            throw broken("%s was touched, which lies beside the worker's cache", content);
        }
    }
}
