package io.tailrace.suffix.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What lies beside a segment for the job alone: which generations each document stands for. Deleting by request or scope
 * and expiring by time need it; workers never read it.
 *
 * @param segmentSha256 the segment it belongs to
 * @param entries for each document of the segment its generations, oldest first
 */
public record Sidecar(String segmentSha256, List<List<GenerationEntry>> entries) {
    public Sidecar {
        entries = List.copyOf(entries);
    }

    /**
     * Reads and checks a sidecar.
     *
     * @throws CorruptSegmentException if the file is not an intact sidecar
     */
    public static Sidecar read(Path file) throws IOException {
        return SidecarFormat.read(file);
    }
}
