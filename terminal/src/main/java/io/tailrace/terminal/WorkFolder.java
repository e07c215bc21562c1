package io.tailrace.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a command puts its data: a folder that the user named, which stays, or a fresh one, which is deleted at the end. */
public final class WorkFolder implements AutoCloseable {
    /** The launcher's folder; the current one if it was not used. */
    public static final String HOME_PROPERTY = "tailrace.home";

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Logger LOG = LoggerFactory.getLogger(WorkFolder.class);

    private final Path path;
    private final boolean temporary;

    private WorkFolder(Path path, boolean temporary) {
        this.path = path;
        this.temporary = temporary;
    }

    /** Opens the named folder, which must be empty or not exist yet; null: a fresh one below {@code .tailrace}. */
    public static WorkFolder open(Path named, String purpose) throws IOException {
        if (named == null) {
            Path parent = Files.createDirectories(home());
            return new WorkFolder(Files.createTempDirectory(parent, purpose + "-"), true);
        }
        Path folder = named.toAbsolutePath();
        if (Files.exists(folder) && !isEmptyFolder(folder)) {
            throw new BadInputException("--folder " + named + ": it must be empty or not exist yet");
        }
        return new WorkFolder(Files.createDirectories(folder), false);
    }

    /** The folder that holds logs and whatever commands leave behind. */
    public static Path home() {
        return Path.of(System.getProperty(HOME_PROPERTY, "."))
                .resolve(".tailrace")
                .toAbsolutePath();
    }

    /**
     * The folder of the user whose process this is, wherever it was started. What lies there is for its owner only: it is made so.
     *
     * @throws BadInputException if it cannot be made
     */
    public static Path ofUser() {
        Path folder = Path.of(System.getProperty("user.home"), ".tailrace").toAbsolutePath();
        try {
            return Files.isDirectory(folder) ? folder : Files.createDirectories(folder, OWNER_ONLY);
        } catch (IOException e) {
            throw new BadInputException(
                    "%s cannot be made: %s; give --listen, --kept, --cache and --spool, or those of them that the command has"
                            .formatted(folder, Failures.message(e)),
                    e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        if (!temporary) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.info("folder {} could not be deleted: {}", path, e.toString());
        }
    }

    private static boolean isEmptyFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }
}
