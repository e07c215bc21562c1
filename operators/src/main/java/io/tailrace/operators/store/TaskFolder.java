package io.tailrace.operators.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of one operator instance for files that do not outlive it. A lock on a file in it says that it is in use; the system
 * gives it back also when the process is killed, so the next process removes what was left behind.
 *
 * <p>A process never looks at locks of its own: closing a second channel on a locked file would give the lock back. So a folder's
 * name begins with its process.
 */
public final class TaskFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskFolder.class);
    private static final String PREFIX = "tailrace-";
    private static final String LOCK = "in-use";
    /** Number and start of this process: in a container every process is number 1. */
    private static final String PROCESS = ProcessHandle.current().pid() + "-"
            + ManagementFactory.getRuntimeMXBean().getStartTime() + "-";

    private final Path root;
    private final FileChannel lockFile;

    private TaskFolder(Path root, FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /** A new folder below {@code parent}, or below the JVM's temporary folder if that is empty; removes those that nobody uses any more. */
    public static TaskFolder create(String parent, String name) throws IOException {
        Path folder = Path.of(parent.isEmpty() ? System.getProperty("java.io.tmpdir") : parent);
        Files.createDirectories(folder);
        removeLeftBehind(folder, PREFIX + name + "-");
        Path root = Files.createTempDirectory(folder, PREFIX + name + "-" + PROCESS);
        FileChannel lockFile =
                FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileLock held = lockFile.lock();
        if (!held.isValid()) {
            throw new IOException("the lock on %s was lost at once; is the folder on a disk of this machine?"
                    .formatted(root.resolve(LOCK)));
        }
        return new TaskFolder(root, lockFile);
    }

    /** A folder that cannot be looked into is somebody else's, or goes next time. */
    private static void removeLeftBehind(Path parent, String prefix) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, prefix + "*")) {
            for (Path folder : folders) {
                boolean own = folder.getFileName().toString().startsWith(prefix + PROCESS);
                try {
                    if (!own && isLeftBehind(folder)) {
                        remove(folder);
                        LOG.info("removed {}, which a process that was killed had left behind", folder);
                    }
                } catch (IOException e) {
                    LOG.debug("{} stays: {}", folder, e.toString());
                }
            }
        }
    }

    /** Without its lock file it is just being made. */
    private static boolean isLeftBehind(Path folder) throws IOException {
        try (FileChannel lockFile = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE)) {
            FileLock free = lockFile.tryLock();
            return free != null;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** A new folder within; where somebody has removed this one, it is made again. */
    public Path newFolder() throws IOException {
        Files.createDirectories(root);
        return Files.createTempDirectory(root, "work-");
    }

    public Path root() {
        return root;
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
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
