package io.tailrace.cli.dev;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What a loop keeps from run to run: one model's, and one process's at a time. Of a folder that is not such a one nothing is touched. */
final class DevFolder implements AutoCloseable {
    private static final String MODEL = "model.txt";
    private static final String LOCK = "lock";
    private static final List<String> KEPT = List.of("kafka", "store", "flink", "scratch", "cache", "spool");

    private final Path path;
    private final FileChannel lock;

    private DevFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Takes a folder.
     *
     * @param empty whether to forget what it keeps
     * @throws BadInputException if it holds something else, another model's answers, or is in use
     */
    static DevFolder open(Path path, ServedModel model, boolean empty) throws IOException {
        if (Files.isDirectory(path) && !Files.exists(path.resolve(MODEL)) && !isEmpty(path)) {
            throw new BadInputException(
                    "--folder %s holds something else; name a new folder, or one of 'tailrace dev'".formatted(path));
        }
        DevFolder folder = new DevFolder(Files.createDirectories(path), lock(path));
        try {
            folder.take(describe(model), empty);
            return folder;
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    private void take(String model, boolean empty) throws IOException {
        Path owner = path.resolve(MODEL);
        if (empty) {
            for (String part : KEPT) {
                delete(path.resolve(part));
            }
        } else if (Files.exists(owner) && !Files.readString(owner).equals(model)) {
            throw new BadInputException(
                    "--folder %s keeps answers of %s, not of %s; start with --empty, or name another folder"
                            .formatted(path, Files.readString(owner).strip(), model.strip()));
        }
        Files.writeString(owner, model);
    }

    private static String describe(ServedModel model) {
        return "%s@%s, vocabulary %d, tokenizer %s%n"
                .formatted(model.model(), model.revision(), model.vocabularySize(), model.tokenizerFingerprint());
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isLocked(channel)) {
            channel.close();
            throw new BadInputException(
                    "--folder %s is in use by another 'tailrace dev'; end that one, or name another folder"
                            .formatted(path));
        }
        return channel;
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** A lock file alone is what a first start left that came no further. */
    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.allMatch(file -> file.getFileName().toString().equals(LOCK));
        }
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
