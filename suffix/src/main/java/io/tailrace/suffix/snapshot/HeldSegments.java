package io.tailrace.suffix.snapshot;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Segments that one user holds mapped: all that were asked for, or none. Let go of once. */
public final class HeldSegments {
    private final MappedSegments mapped;
    private final Deque<MappedSegments.Shared> held = new ArrayDeque<>();

    private HeldSegments(MappedSegments mapped) {
        this.mapped = mapped;
    }

    /**
     * Fetches, checks and maps what is not mapped yet, from the last one on: a snapshot names its newest last, which is to have the first of what room
     * there is for postings. May take long, and leaves nothing held if it fails.
     *
     * @throws IOException if one cannot be had, or is damaged or of another lane or tokenizer
     */
    public static HeldSegments acquire(MappedSegments mapped, List<SegmentFile> files, SegmentIdentity identity)
            throws IOException {
        HeldSegments held = new HeldSegments(mapped);
        boolean complete = false;
        try {
            for (int i = files.size() - 1; i >= 0; i--) {
                held.held.addFirst(mapped.acquire(files.get(i), identity));
            }
            complete = true;
            return held;
        } finally {
            if (!complete) {
                held.release();
            }
        }
    }

    /** What is searched, in the order in which the files were asked for. */
    public List<OccurrenceIndex> indexes() {
        return held.stream().map(MappedSegments.Shared::index).toList();
    }

    /**
     * The segments as drafts look into them.
     *
     * @param newest place of the newest one among the files that were asked for, the others are older; negative: all are
     * @param fresh what whoever drafts has heard of that no segment holds yet; null: nothing
     */
    public LaneIndex index(int newest, OccurrenceIndex fresh) {
        List<OccurrenceIndex> older = new ArrayList<>(indexes());
        return new LaneIndex(older, newest < 0 ? null : older.remove(newest), fresh);
    }

    public void release() {
        held.forEach(mapped::release);
    }
}
