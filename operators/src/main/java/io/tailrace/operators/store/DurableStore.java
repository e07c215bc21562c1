package io.tailrace.operators.store;

import io.tailrace.suffix.snapshot.SegmentFile;
import io.tailrace.suffix.snapshot.SegmentSource;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;

/**
 * Where segments lie for good. Paths are relative to the store's root, with forward slashes; files are immutable and named
 * by their content, so writing one again is harmless. Safe for any number of threads.
 */
public interface DurableStore extends AutoCloseable {
    /**
     * Copies a file into the store; when this returns, the file is durable, was read back and has this hash.
     *
     * @param sha256 of the file, as its writer found it
     */
    void put(Path localFile, String path, String sha256) throws IOException;

    /**
     * Copies a file out of the store, over a file that may be there.
     *
     * @throws java.io.FileNotFoundException if the store does not hold it
     */
    void fetch(String path, Path localFile) throws IOException;

    /** Removes a file; one that is not there is no error. */
    void delete(String path) throws IOException;

    /** The files directly in a folder; none if the folder is not there. */
    List<StoredFile> list(String folder) throws IOException;

    /** This store as where a local folder's files come from. */
    default SegmentSource source() {
        return new SegmentSource() {
            @Override
            public void download(SegmentFile file, Path target) throws IOException {
                fetch(file.path(), target);
            }

            @Override
            public String toString() {
                return DurableStore.this.toString();
            }
        };
    }

    /** Lets go of what the store holds open. */
    @Override
    default void close() {}

    /**
     * A file as the store lists it.
     *
     * @param path relative to the store's root, with forward slashes
     */
    record StoredFile(String path, long sizeBytes, long modifiedAtMillis) {}

    /** Opens the store in the process where an operator runs. Wrap it to observe the store or to make it fail. */
    @FunctionalInterface
    interface Factory extends Serializable {
        DurableStore open() throws IOException;
    }
}
