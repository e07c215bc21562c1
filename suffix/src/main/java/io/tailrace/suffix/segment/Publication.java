package io.tailrace.suffix.segment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

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
    private final Path segment;
    private final Path sidecar;

    Publication(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        String name = UUID.randomUUID().toString();
        this.segment = folder.resolve(name + SEGMENT_SUFFIX + TEMPORARY_SUFFIX);
        this.sidecar = folder.resolve(name + SIDECAR_SUFFIX + TEMPORARY_SUFFIX);
    }

    SegmentSummary write(List<Document> documents, SegmentContent content, SegmentIdentity identity)
            throws IOException {
        writeSegment(content, identity);
        SegmentSummary summary;
        try (Segment written = Segment.openVerified(segment, identity)) {
            summary = written.summary();
        }
        SegmentFormat.requireEqual(segment, 0, "live tokens", content.liveTokens(), summary.liveTokens());
        List<List<GenerationEntry>> entries =
                documents.stream().map(Document::entries).toList();
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
                            Files.getFileStore(folder).getUsableSpace(),
                            e.getMessage()),
                    e);
        }
    }

    SegmentFiles publish(SegmentSummary summary) throws IOException {
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
        return new SegmentFiles(namedSegment, namedSidecar);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(segment);
        Files.deleteIfExists(sidecar);
    }
}
