package io.tailrace.client.follow.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A store that is a directory, local or mounted. Files are copied, so that the job may sweep its own at any time. */
final class DirectoryStore implements SegmentStore {
    private final Path root;

    DirectoryStore(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    @Override
    public void download(String path, long sizeBytes, Path target) throws IOException {
        Path source = root.resolve(SegmentStore.checkRelative(path));
        try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
                FileChannel out = FileChannel.open(
                        target,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            long size = in.size();
            if (size != sizeBytes) {
                throw new IOException("%s has %d bytes, its manifest says %d; the job must publish it again"
                        .formatted(source, size, sizeBytes));
            }
            long done = 0;
            while (done < size) {
                done += in.transferTo(done, size - done, out);
            }
            out.force(true);
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
