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
    /**
     * Copies the list.
     *
     * @param segmentSha256 the segment it belongs to
     * @param entries for each document of the segment its generations, oldest first
     */
    public Sidecar {
        entries = List.copyOf(entries);
    }

    /**
     * Reads and checks a sidecar.
     *
     * @param file where it is
     * @return the sidecar
     * @throws CorruptSegmentException if the file is not an intact sidecar
     */
    public static Sidecar read(Path file) throws IOException {
        return SidecarFormat.read(file);
    }

    /**
     * Reads and checks the sidecar of a segment.
     *
     * @param segment which it must belong to
     * @param file where it is
     * @return the sidecar
     * @throws CorruptSegmentException if it is damaged, or another segment's
     */
    public static Sidecar readFor(Segment segment, Path file) throws IOException {
        Sidecar sidecar = read(file);
        sidecar.requireOf(segment, file);
        return sidecar;
    }

    boolean isOf(Segment segment) {
        return segmentSha256.equals(segment.summary().sha256());
    }

    /** Requires that this was written with the segment: then each byte of that is as it was written and checked. */
    void requireOf(Segment segment, Path file) throws CorruptSegmentException {
        String sha256 = segment.summary().sha256();
        SegmentFormat.requireEqual(file, 0, "the sidecar's segment", sha256, segmentSha256);
        int documents = entries.size();
        SegmentFormat.requireEqual(file, 0, "the sidecar's documents", segment.documents(), documents);
        for (int i = 0; i < documents; i++) {
            int generations = entries.get(i).size();
            if (generations != segment.multiplicity(i)) {
                String what = "entries of document " + i;
                throw CorruptSegmentException.at(file, 0, what, segment.multiplicity(i), generations);
            }
        }
    }
}
