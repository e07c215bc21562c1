package io.tailrace.worker.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A folder of one worker's own for files that live as long as an upload; they hold answers. */
public final class UploadFolder {
    private UploadFolder() {}

    /** The folder, made if need be, without what a worker of that name left there when it was killed. */
    public static Path emptied(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> left = files.filter(Files::isRegularFile).toList();
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
        return folder;
    }
}
