package io.tailrace.operators.evaluation;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.schemas.RetentionChange;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.snapshot.HeldSegments;
import io.tailrace.suffix.snapshot.MappedSegments;
import io.tailrace.suffix.snapshot.SegmentFile;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a change of retention would leave of a lane's older segments, mapped. One thread loads it, another uses and closes it: whichever is
 * last lets go.
 */
final class HeldRetention {
    private static final Logger LOG = LoggerFactory.getLogger(HeldRetention.class);

    private final RetentionChange change;
    private final MappedSegments mapped;
    private HeldSegments loaded;
    private boolean closed;

    HeldRetention(RetentionChange change, MappedSegments mapped) {
        this.change = change;
        this.mapped = mapped;
    }

    /** Fetches, checks and maps; may take long, and leaves nothing mapped if it fails. */
    void load(String lane, ModelCatalog models) {
        List<SegmentFile> files = change.getSegments().stream()
                .map(segment -> new SegmentFile(segment.getPath(), segment.getSha256(), segment.getSizeBytes()))
                .toList();
        try {
            HeldSegments segments = HeldSegments.acquire(mapped, files, models.identity(lane));
            if (!offer(segments)) {
                segments.release();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("lane {}: a change of retention is not judged here: {}", lane, e.toString());
        }
    }

    private synchronized boolean offer(HeldSegments segments) {
        if (!closed) {
            loaded = segments;
        }
        return !closed;
    }

    /** A version as it would be; null if this is not mapped, or the version no longer holds what would be replaced. */
    synchronized LaneIndex of(HeldSnapshot live) {
        return loaded == null ? null : live.replaced(change.getReplaced().get(0), loaded.indexes());
    }

    synchronized void close() {
        if (loaded != null) {
            loaded.release();
        }
        loaded = null;
        closed = true;
    }
}
