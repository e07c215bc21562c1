package io.tailrace.client.follow.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A store that is a directory, local or mounted. Files are copied, so that the job may sweep its own at any time. */
final class DirectoryStore implements SegmentStore {
    private final Path root;

    DirectoryStore(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    @Override
    public void download(String path, long sizeBytes, Path target) throws IOException {
        Path source = root.resolve(SegmentStore.checkRelative(path));
        try (InputStream in = Files.newInputStream(source);
                DownloadedFile out = DownloadedFile.open(source.toString(), sizeBytes, target)) {
            out.append(in);
            out.finish();
        }
    }

    @Override
    public void look() throws IOException {
        if (!Files.isDirectory(root) || !Files.isReadable(root)) {
            throw new IOException("there is no folder that can be read; the job makes it, or it must be mounted here");
        }
    }

    @Override
    public void close() {
        // Holds nothing open.
    }

    @Override
    public String toString() {
        return Files.exists(root) ? root.toString() : root + " (missing)";
    }
}
