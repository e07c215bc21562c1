package io.tailrace.operators.evaluation;

import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.suffix.snapshot.HeldSegments;
import io.tailrace.suffix.snapshot.MappedSegments;
import io.tailrace.suffix.snapshot.SegmentFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An announced version, mapped: what a replica drafts from. Released by whoever swaps it away. */
final class HeldSnapshot {
    private final long version;
    private final LanePolicy policy;
    private final Replica.Side side;
    private final LaneIndex index;
    private final Map<Integer, Long> offsets = new HashMap<>();
    private final List<String> older;
    private final List<String> files;
    private final HeldSegments held;
    private volatile boolean damaged;

    private HeldSnapshot(SnapshotManifest manifest, HeldSegments held) {
        this.version = manifest.getVersion();
        this.policy =
                LanePolicy.given(manifest.getPolicy(), manifest.getPolicy().getNumber(), 0);
        this.side = new Replica.Side(policy.effectiveWeights(), policy.limits());
        this.index = held.index(newest(manifest), null);
        this.older = manifest.getSegments().stream()
                .filter(reference -> reference.getRole() != SegmentRole.NEWEST)
                .map(SegmentReference::getSha256)
                .toList();
        this.files =
                manifest.getSegments().stream().map(SegmentReference::getSha256).toList();
        this.held = held;
        for (SourceOffset offset : manifest.getSourceOffsets()) {
            offsets.put(offset.getPartition(), offset.getOffset());
        }
    }

    /** Fetches, checks and maps what the manifest names, as a worker does; may take long, and leaves nothing mapped if it fails. */
    static HeldSnapshot load(SnapshotManifest manifest, SegmentIdentity identity, MappedSegments mapped)
            throws IOException {
        List<SegmentFile> files = manifest.getSegments().stream()
                .map(segment -> new SegmentFile(segment.getPath(), segment.getSha256(), segment.getSizeBytes()))
                .toList();
        HeldSegments held = HeldSegments.acquire(mapped, files, identity);
        boolean complete = false;
        try {
            HeldSnapshot snapshot = new HeldSnapshot(manifest, held);
            complete = true;
            return snapshot;
        } finally {
            if (!complete) {
                held.release();
            }
        }
    }

    /** Place of the newest segment; -1: there is none. */
    private static int newest(SnapshotManifest manifest) {
        return manifest.getSegments().stream()
                .map(SegmentReference::getRole)
                .toList()
                .indexOf(SegmentRole.NEWEST);
    }

    long version() {
        return version;
    }

    LanePolicy policy() {
        return policy;
    }

    /** SHA-256 of what it maps. */
    List<String> files() {
        return files;
    }

    /** A file of it is not any more what it was when it was mapped. Any thread may say so. */
    void damaged() {
        damaged = true;
    }

    boolean isDamaged() {
        return damaged;
    }

    /** What a candidate is compared with. */
    Replica.Side side() {
        return side;
    }

    LaneIndex index() {
        return index;
    }

    /** True if it may hold the record: evaluating it would find itself. */
    boolean mayHold(int partition, long offset) {
        return offset <= offsets.getOrDefault(partition, -1L);
    }

    /**
     * The same with other segments in the place of one of the older ones, its tokens counted anew: to be made once a version. Null if it does not hold
     * that one.
     */
    LaneIndex replaced(String sha256, List<OccurrenceIndex> by) {
        int place = older.indexOf(sha256);
        if (place < 0) {
            return null;
        }
        List<OccurrenceIndex> others = new ArrayList<>(index.older());
        others.remove(place);
        others.addAll(place, by);
        return new LaneIndex(others, index.newest(), null, LaneVocabulary.of(others, index.newest()));
    }

    void release() {
        held.release();
    }
}
