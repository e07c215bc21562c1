package io.tailrace.operators.store;

import static io.tailrace.operators.Preconditions.require;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import dev.failsafe.RetryPolicyBuilder;
import dev.failsafe.function.CheckedSupplier;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/**
 * A store in any file system Flink knows: {@code file:///var/tailrace}, {@code s3://bucket/tailrace}, ...
 *
 * <p>On a local disk a file is written under a temporary name, forced to disk and renamed; in an object store a file is
 * visible only once it is whole, so it is created directly. Either way it is read back and its hash compared with the one that
 * its writer found, before anyone hears of it. Every operation is tried a bounded number of times.
 */
public final class FlinkFileStore implements DurableStore {
    private final Path root;
    private final FileSystem files;
    private final Retries retries;

    public FlinkFileStore(URI root, Retries retries) throws IOException {
        require(
                root.getScheme() != null,
                "the store must be a URI with a scheme, such as file:///data, got '%s'",
                root);
        this.root = new Path(root);
        this.files = FileSystem.get(root);
        this.retries = retries;
    }

    /** Opens stores at {@code root} with the default retries. */
    public static DurableStore.Factory factory(URI root) {
        return () -> new FlinkFileStore(root, Retries.defaults());
    }

    @Override
    public void put(java.nio.file.Path localFile, String path, String sha256) throws IOException {
        retries.run("put " + path, () -> {
            Path target = resolve(path);
            if (files.isDistributedFS()) {
                copyIn(localFile, target);
                verify(target, localFile, sha256);
            } else {
                Path aside = new Path(target.getParent(), "." + target.getName() + "." + UUID.randomUUID() + ".tmp");
                files.mkdirs(target.getParent());
                putAside(localFile, aside, target, sha256);
            }
            return null;
        });
    }

    private void putAside(java.nio.file.Path localFile, Path aside, Path target, String sha256) throws IOException {
        try {
            copyIn(localFile, aside);
            verify(aside, localFile, sha256);
            Files.move(
                    local(aside),
                    local(target),
                    StandardCopyOption.ATOMIC_MOVE); // Flink's rename removes the target first
            forceFolder(target.getParent());
        } catch (IOException e) {
            files.delete(aside, false);
            throw e;
        }
    }

    private static java.nio.file.Path local(Path path) {
        return java.nio.file.Path.of(path.getPath());
    }

    /** Makes the renaming itself survive a power cut. */
    private static void forceFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(local(folder), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private void copyIn(java.nio.file.Path localFile, Path target) throws IOException {
        try (InputStream in = Files.newInputStream(localFile);
                FSDataOutputStream out = files.create(target, WriteMode.OVERWRITE)) {
            copy(in, out);
            out.flush();
            if (!files.isDistributedFS()) {
                out.sync();
            }
        }
    }

    private void verify(Path stored, java.nio.file.Path localFile, String expected) throws IOException {
        long expectedBytes = Files.size(localFile);
        long gotBytes = files.getFileStatus(stored).getLen();
        if (gotBytes != expectedBytes) {
            throw new IOException("%s has %d bytes after writing, expected %d; is the disk full?"
                    .formatted(stored, gotBytes, expectedBytes));
        }
        try (FSDataInputStream in = files.open(stored)) {
            String got = FileHash.sha256(in);
            if (!got.equals(expected)) {
                throw new IOException("%s reads back as %s, expected %s; the store is not to be trusted"
                        .formatted(stored, got, expected));
            }
        }
    }

    @Override
    public void fetch(String path, java.nio.file.Path localFile) throws IOException {
        retries.run("fetch " + path, () -> {
            try (FSDataInputStream in = open(resolve(path))) {
                return receive(in, localFile);
            }
        });
    }

    private static java.nio.file.Path receive(InputStream in, java.nio.file.Path localFile) throws IOException {
        java.nio.file.Path aside = localFile.resolveSibling(localFile.getFileName() + ".part");
        try {
            try (OutputStream out = Files.newOutputStream(aside)) {
                copy(in, out);
            }
            return Files.move(aside, localFile, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
            throw new IOException(localFile + " cannot be written: its folder is gone", e);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    /** What is there and cannot be opened, for rights or for too many open files, is not missing. */
    private FSDataInputStream open(Path stored) throws IOException {
        try {
            return files.open(stored);
        } catch (FileNotFoundException e) {
            if (files.exists(stored)) {
                throw new IOException(stored + " is there and cannot be opened: " + e.getMessage(), e);
            }
            throw e;
        }
    }

    @Override
    public void delete(String path) throws IOException {
        retries.run("delete " + path, () -> {
            Path target = resolve(path);
            return files.exists(target) && files.delete(target, false);
        });
    }

    @Override
    public List<DurableStore.StoredFile> list(String folder) throws IOException {
        return retries.run("list " + folder, () -> {
            Path target = resolve(folder);
            if (!files.exists(target)) {
                return List.of();
            }
            FileStatus[] found = statuses(target);
            List<DurableStore.StoredFile> listed = new ArrayList<>();
            for (FileStatus status : found == null ? new FileStatus[0] : found) {
                if (!status.isDir()) {
                    String path = folder + "/" + status.getPath().getName();
                    listed.add(new DurableStore.StoredFile(path, status.getLen(), status.getModificationTime()));
                }
            }
            return listed;
        });
    }

    /** A temporary file that its writer renames while the folder is listed is worth another look; it is not missing. */
    private FileStatus[] statuses(Path target) throws IOException {
        try {
            return files.listStatus(target);
        } catch (FileNotFoundException e) {
            throw new IOException("a file of " + target + " was renamed while the folder was listed", e);
        }
    }

    @Override
    public String toString() {
        return root.toString();
    }

    private Path resolve(String path) {
        boolean inside = !path.startsWith("/")
                && Stream.of(path.split("/", -1)).noneMatch(part -> part.equals(".") || part.equals(".."));
        require(inside, "a stored path stays below the root, got '%s'", path);
        return new Path(root, path);
    }

    private static void copy(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[FileHash.BUFFER_BYTES];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            out.write(buffer, 0, read);
        }
    }

    /** True for what no further attempt can mend. */
    static boolean isFinal(Throwable e) {
        return e instanceof FileNotFoundException || e instanceof NoSuchFileException;
    }

    /**
     * How often an operation on the store is tried, and how long between; what no further attempt can mend is said at once.
     *
     * @param attemptsMax at least 1
     * @param pauseMillis before the second attempt; doubles from attempt to attempt
     */
    public record Retries(int attemptsMax, long pauseMillis) {
        public Retries {
            require(attemptsMax >= 1, "attemptsMax must be >= 1, got %d", attemptsMax);
            require(pauseMillis >= 0, "pauseMillis must be >= 0, got %d", pauseMillis);
        }

        /** Four attempts within about a second. */
        public static Retries defaults() {
            return new Retries(4, 100);
        }

        private RetryPolicy<Object> policy() {
            RetryPolicyBuilder<Object> policy = RetryPolicy.builder()
                    .handle(IOException.class)
                    .abortOn(FlinkFileStore::isFinal)
                    .withMaxAttempts(attemptsMax);
            return pauseMillis == 0
                    ? policy.build()
                    : policy.withBackoff(Duration.ofMillis(pauseMillis), Duration.ofMillis(pauseMillis << attemptsMax))
                            .build();
        }

        <T> T run(String what, CheckedSupplier<T> attempt) throws IOException {
            try {
                return Failsafe.with(policy()).get(attempt);
            } catch (FailsafeException e) {
                throw reason(what, e);
            }
        }

        private IOException reason(String what, FailsafeException failure) {
            Throwable cause = failure.getCause();
            if (cause instanceof InterruptedException) {
                return new InterruptedIOException("interrupted between attempts on the store");
            }
            return cause instanceof IOException last && FlinkFileStore.isFinal(last)
                    ? last
                    : new IOException(
                            "cannot %s after %d attempts: %s".formatted(what, attemptsMax, cause.getMessage()), cause);
        }
    }
}
