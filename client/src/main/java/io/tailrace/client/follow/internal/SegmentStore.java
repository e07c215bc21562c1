package io.tailrace.client.follow.internal;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** Where the job puts segment files. Read only. Safe for any number of threads. */
interface SegmentStore extends AutoCloseable {
    /** A download that takes longer has failed. */
    Duration DOWNLOAD_TIME_MAX = Duration.ofMinutes(5);

    /** So has one whose server sends nothing for so long. */
    Duration SILENCE_MAX = Duration.ofSeconds(10);

    /**
     * Copies a file of the store.
     *
     * @param path relative to the store's root, with forward slashes
     * @param sizeBytes size it must have
     * @param target written, and forced to disk
     * @throws IOException if it is not there, not readable, or of another size
     */
    void download(String path, long sizeBytes, Path target) throws IOException;

    /**
     * Asks the store for nothing but an answer.
     *
     * @throws IOException if there is none, or one that says that no segment could be read
     */
    void look() throws IOException;

    @Override
    void close();

    /**
     * The store at a URI: a directory ({@code file:} or a plain path), a bucket of S3 or what speaks it ({@code s3:}), or a web server
     * ({@code http:}, {@code https:}).
     */
    static SegmentStore at(URI root) {
        return at(root, DOWNLOAD_TIME_MAX, SILENCE_MAX);
    }

    /** The same, with its own bounds. */
    static SegmentStore at(URI root, Duration downloadTimeMax, Duration silenceMax) {
        String scheme = root.getScheme() == null ? "file" : root.getScheme();
        return switch (scheme) {
            case "file" -> new DirectoryStore(root.getScheme() == null ? Path.of(root.getPath()) : Path.of(root));
            case "http", "https" -> new HttpStore(root, downloadTimeMax, silenceMax);
            case "s3" -> new S3Store(root, downloadTimeMax, silenceMax);
            default ->
                throw new IllegalArgumentException("a worker reads segments from file:, s3:, http: or https:, got "
                        + root + "; mount what another store holds");
        };
    }

    /** A path that stays below the store's root, or an exception. */
    static String checkRelative(String path) throws IOException {
        boolean bad = path.isEmpty() || path.startsWith("/") || path.contains("\\") || path.contains(":");
        for (String part : path.split("/", -1)) {
            bad |= part.isEmpty() || part.equals(".") || part.equals("..");
        }
        if (bad) {
            throw new IOException("a segment's path must be relative, with plain parts, got '" + path + "'");
        }
        return path;
    }
}
