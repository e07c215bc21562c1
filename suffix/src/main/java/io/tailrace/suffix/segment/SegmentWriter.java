package io.tailrace.suffix.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.zip.CRC32C;

/**
 * Writes a segment's bytes to a file. Each section is encoded twice, once for its checksum and once for the
 * file, through one buffer: the whole file never stands in memory.
 */
final class SegmentWriter {
    private static final int CHUNK_BYTES = 1 << 18;

    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final SegmentContent content;

    SegmentWriter(SegmentContent content) {
        this.content = content;
    }

    void write(SegmentIdentity identity, Path file) throws IOException {
        SegmentHeader header = content.header(identity, checksums());
        MessageDigest sha256 = SegmentFormat.sha256();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            Sink sink = bytes -> {
                sha256.update(bytes.duplicate());
                writeFully(channel, bytes);
            };
            sink.accept(SegmentFormat.encodeHeader(header));
            for (Section section : Section.ALL) {
                encode(section, sink);
                long bytes = header.sectionBytes(section);
                sink.accept(ByteBuffer.allocate((int) (SegmentFormat.aligned(bytes) - bytes)));
            }
            writeFully(channel, SegmentFormat.encodeFooter(header.fileBytes(), sha256.digest()));
        }
    }

    private int[] checksums() throws IOException {
        int[] checksums = new int[Section.ALL.length];
        for (Section section : Section.ALL) {
            CRC32C crc = new CRC32C();
            encode(section, crc::update);
            checksums[section.index()] = (int) crc.getValue();
        }
        return checksums;
    }

    private void encode(Section section, Sink sink) throws IOException {
        Object values = content.section(section);
        if (values instanceof int[] ints) {
            encode(ints, sink);
        } else {
            encode((long[]) values, sink);
        }
    }

    private void encode(int[] values, Sink sink) throws IOException {
        for (int from = 0; from < values.length; from += CHUNK_BYTES / Integer.BYTES) {
            int count = Math.min(values.length - from, CHUNK_BYTES / Integer.BYTES);
            chunk.clear();
            chunk.asIntBuffer().put(values, from, count);
            sink.accept(chunk.limit(count * Integer.BYTES));
        }
    }

    private void encode(long[] values, Sink sink) throws IOException {
        for (int from = 0; from < values.length; from += CHUNK_BYTES / Long.BYTES) {
            int count = Math.min(values.length - from, CHUNK_BYTES / Long.BYTES);
            chunk.clear();
            chunk.asLongBuffer().put(values, from, count);
            sink.accept(chunk.limit(count * Long.BYTES));
        }
    }

    static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private interface Sink {
        void accept(ByteBuffer bytes) throws IOException;
    }
}
