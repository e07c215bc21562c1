package io.tailrace.suffix.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A segment and its sidecar on their way into a folder: written under temporary names, read back and checked, then
 * named by the segment's SHA-256, sidecar first. Closing removes what did not get that far. Nothing is forced to disk: the folder is a
 * stage, and who puts the files where they are to last makes them do so.
 */
final class Publication implements AutoCloseable {
    static final String SEGMENT_SUFFIX = ".segment";
    static final String SIDECAR_SUFFIX = ".sidecar";
    static final String TEMPORARY_SUFFIX = ".tmp";

    private final Path folder;
    private final long bytesMax;
    private final Path segment;
    private final Path sidecar;

    Publication(Path folder) throws IOException {
        this(folder, MappedFile.BYTES_MAX);
    }

    /** @param bytesMax of either file */
    Publication(Path folder, long bytesMax) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.bytesMax = bytesMax;
        String name = UUID.randomUUID().toString();
        this.segment = folder.resolve(name + SEGMENT_SUFFIX + TEMPORARY_SUFFIX);
        this.sidecar = folder.resolve(name + SIDECAR_SUFFIX + TEMPORARY_SUFFIX);
    }

    SegmentSummary write(List<Document> documents, SegmentContent content, SegmentIdentity identity)
            throws IOException {
        List<List<GenerationEntry>> entries =
                documents.stream().map(Document::entries).toList();
        long segmentBytes =
                content.header(identity, new int[Section.ALL.length]).fileBytes();
        long sidecarBytes = SidecarFormat.fileBytes(entries);
        if (segmentBytes > bytesMax || sidecarBytes > bytesMax) {
            throw new SegmentTooLargeException(identity.lane(), segmentBytes, sidecarBytes, bytesMax);
        }
        writeSegment(content, identity);
        SegmentSummary summary;
        try (Segment written = Segment.openVerified(segment, identity)) {
            summary = written.summary();
        }
        SegmentFormat.requireEqual(segment, 0, "live tokens", content.liveTokens(), summary.liveTokens());
        Sidecar beside = new Sidecar(summary.sha256(), entries);
        SidecarFormat.write(beside, sidecar);
        if (!SidecarFormat.read(sidecar).equals(beside)) {
            throw CorruptSegmentException.at(sidecar, 0, "sidecar read back", "what was written", "something else");
        }
        return summary;
    }

    private void writeSegment(SegmentContent content, SegmentIdentity identity) throws IOException {
        try {
            new SegmentWriter(content).write(identity, segment);
        } catch (IOException e) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "segment of %d tokens for lane %s could not be written to %s (%d bytes usable there): %s;"
                                    + " nothing of it is left; make room or choose another folder",
                            content.liveTokens(),
                            identity.lane(),
                            folder,
                            folder.toFile().getUsableSpace(),
                            e.getMessage()),
                    e);
        }
    }

    Compaction.Files publish(SegmentSummary summary) throws IOException {
        Path namedSegment = folder.resolve(summary.sha256() + SEGMENT_SUFFIX);
        Path namedSidecar = folder.resolve(summary.sha256() + SIDECAR_SUFFIX);
        Files.move(sidecar, namedSidecar, StandardCopyOption.ATOMIC_MOVE);
        boolean published = false;
        try {
            Files.move(segment, namedSegment, StandardCopyOption.ATOMIC_MOVE);
            published = true;
        } finally {
            if (!published) {
                Files.deleteIfExists(namedSidecar);
            }
        }
        return new Compaction.Files(namedSegment, namedSidecar);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(segment);
        Files.deleteIfExists(sidecar);
    }

    /**
     * Writes a segment's bytes to a file. Each section is encoded twice, once for its checksum and once for the
     * file, through one buffer: the whole file never stands in memory.
     */
    private static final class SegmentWriter {
        private static final int CHUNK_BYTES = 1 << 18;

        private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        private final SegmentContent content;

        SegmentWriter(SegmentContent content) {
            this.content = content;
        }

        void write(SegmentIdentity identity, Path file) throws IOException {
            SegmentHeader header = content.header(identity, checksums());
            MessageDigest sha256 = SegmentFormat.sha256();
            try (FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
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
            } else if (values instanceof char[] chars) {
                encode(chars, sink);
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

        private void encode(char[] values, Sink sink) throws IOException {
            for (int from = 0; from < values.length; from += CHUNK_BYTES / Character.BYTES) {
                int count = Math.min(values.length - from, CHUNK_BYTES / Character.BYTES);
                chunk.clear();
                chunk.asCharBuffer().put(values, from, count);
                sink.accept(chunk.limit(count * Character.BYTES));
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
}
