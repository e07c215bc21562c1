package io.tailrace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** What a job that ran in a folder has left there to go on from: savepoints, and checkpoints that were retained. */
public final class KeptState {
    /** What Flink writes last into a checkpoint or savepoint: where it is, the state is complete. */
    private static final String METADATA = "_metadata";

    private static final int DEPTH_MAX = 4;

    private KeptState() {}

    /** The newest complete checkpoint or savepoint below a folder that {@link LocalFlink} was given, if there is one. */
    public static Optional<Path> newest(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.walk(folder, DEPTH_MAX)) {
            return all.filter(path -> path.getFileName().toString().equals(METADATA))
                    .max(Comparator.comparing(KeptState::modified))
                    .map(Path::getParent);
        }
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }
}
