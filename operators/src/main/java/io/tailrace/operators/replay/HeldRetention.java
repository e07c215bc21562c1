package io.tailrace.operators.replay;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.schemas.RetentionChange;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.lane.LaneIndex;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.suffix.snapshot.MappedSegments;
import io.tailrace.suffix.snapshot.SegmentFile;
import java.io.IOException;
import java.util.ArrayList;
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
    private List<OccurrenceIndex> loaded;
    private boolean closed;

    HeldRetention(RetentionChange change, MappedSegments mapped) {
        this.change = change;
        this.mapped = mapped;
    }

    /** Fetches, checks and maps; may take long, and leaves nothing mapped if it fails. */
    void load(String lane, ModelCatalog models) {
        List<String> held = new ArrayList<>();
        try {
            List<OccurrenceIndex> segments = new ArrayList<>();
            SegmentIdentity identity = models.identity(lane);
            for (SegmentReference segment : change.getSegments()) {
                segments.add(mapped.acquire(
                        new SegmentFile(segment.getPath(), segment.getSha256(), segment.getSizeBytes()), identity));
                held.add(segment.getSha256());
            }
            if (!offer(segments)) {
                held.forEach(mapped::release);
            }
        } catch (IOException | RuntimeException e) {
            held.forEach(mapped::release);
            LOG.warn("lane {}: a change of retention is not judged here: {}", lane, e.toString());
        }
    }

    private synchronized boolean offer(List<OccurrenceIndex> segments) {
        if (!closed) {
            loaded = segments;
        }
        return !closed;
    }

    /** A version as it would be; null if this is not mapped, or the version no longer holds what would be replaced. */
    synchronized LaneIndex of(HeldSnapshot live) {
        return loaded == null ? null : live.replaced(change.getReplaced().get(0), loaded);
    }

    synchronized void close() {
        if (loaded != null) {
            change.getSegments().forEach(segment -> mapped.release(segment.getSha256()));
        }
        loaded = null;
        closed = true;
    }
}
