package io.tailrace.client.follow.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a download is written into: no byte more than the manifest says, no byte less once it is finished. One thread at a time. */
final class DownloadedFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final String source;
    private final long sizeBytes;
    private final FileChannel out;
    private long have;

    private DownloadedFile(String source, long sizeBytes, FileChannel out) {
        this.source = source;
        this.sizeBytes = sizeBytes;
        this.out = out;
    }

    /**
     * Begins anew, whatever is there.
     *
     * @param source in messages
     * @param sizeBytes size it must have
     */
    static DownloadedFile open(String source, long sizeBytes, Path target) throws IOException {
        return new DownloadedFile(
                source,
                sizeBytes,
                FileChannel.open(
                        target,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING));
    }

    /** Appends what is left in the buffer. */
    void append(ByteBuffer bytes) throws IOException {
        have += bytes.remaining();
        if (have > sizeBytes) {
            throw new IOException("%s is longer than the %d bytes its manifest says".formatted(source, sizeBytes));
        }
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    /** Appends all that comes. */
    void append(InputStream body) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
            append(ByteBuffer.wrap(buffer, 0, count));
        }
    }

    /** All has come: it is checked, and forced to disk. */
    void finish() throws IOException {
        if (have != sizeBytes) {
            throw new IOException("%s has %d bytes, its manifest says %d; the job must publish it again"
                    .formatted(source, have, sizeBytes));
        }
        out.force(true);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
