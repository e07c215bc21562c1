package io.tailrace.operators.store;

import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.suffix.segment.SidecarSize;
import io.tailrace.suffix.snapshot.SegmentFile;
import java.time.Instant;
import java.util.Set;

/**
 * A durable segment with its sidecar.
 *
 * @param path of the segment, relative to the store's root
 * @param sidecarPath of the sidecar; named by its own content, for equal segments can stand for different requests
 * @param sha256 of the segment file
 * @param sizeBytes of the segment file
 * @param documents distinct documents
 * @param textTokens stored tokens
 * @param liveTokens tokens of all generations it stands for
 * @param newestCompletedAt epoch milliseconds
 * @param sidecarBytes of the sidecar
 * @param producers distinct names in the sidecar
 */
public record StoredSegment(
        String path,
        String sidecarPath,
        String sha256,
        long sizeBytes,
        int documents,
        long textTokens,
        long liveTokens,
        long newestCompletedAt,
        long sidecarBytes,
        int producers) {

    public SegmentReference reference(SegmentRole role) {
        return new SegmentReference(
                path,
                sha256,
                sizeBytes,
                role,
                documents,
                textTokens,
                liveTokens,
                Instant.ofEpochMilli(newestCompletedAt));
    }

    /** What merging its sidecar is to be reckoned by. */
    public SidecarSize sidecarSize() {
        return new SidecarSize(sidecarBytes, producers);
    }

    /** The segment file as a local folder asks for it. */
    public SegmentFile file() {
        return new SegmentFile(path, sha256, sizeBytes);
    }

    /** The same of the sidecar. */
    public SegmentFile sidecarFile() {
        return new SegmentFile(sidecarPath, SegmentLayout.sha256(sidecarPath), 0);
    }

    /** Whether a file is one of its two. */
    public boolean has(String file) {
        return path.equals(file) || sidecarPath.equals(file);
    }

    /** Its files. */
    public void addPaths(Set<String> paths) {
        paths.add(path);
        paths.add(sidecarPath);
    }
}
