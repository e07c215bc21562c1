package io.tailrace.operators.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder of one operator instance for files that do not outlive it. */
public final class ScratchFolder implements AutoCloseable {
    private final Path root;

    private ScratchFolder(Path root) {
        this.root = root;
    }

    /** A new folder below {@code parent}, or below the JVM's temporary folder if that is empty. */
    public static ScratchFolder create(String parent, String name) throws IOException {
        if (parent.isEmpty()) {
            return new ScratchFolder(Files.createTempDirectory("tailrace-" + name + "-"));
        }
        Path folder = Path.of(parent);
        Files.createDirectories(folder);
        return new ScratchFolder(Files.createTempDirectory(folder, "tailrace-" + name + "-"));
    }

    /** A new folder within. */
    public Path newFolder() throws IOException {
        return Files.createTempDirectory(root, "work-");
    }

    public Path root() {
        return root;
    }

    @Override
    public void close() throws IOException {
        remove(root);
    }

    /** Removes a folder and all in it. */
    public static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException | UncheckedIOException e) {
            if (Files.exists(folder)) {
                throw new IOException("cannot remove scratch folder " + folder, e);
            }
        }
    }
}
