package io.tailrace.operators.publishing;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.suffix.segment.SidecarSize;

/**
 * How large the files of a merged segment become. A segment and its sidecar are mapped in one piece each, so neither may reach 2 GiB: with short
 * answers, long before the heap is full.
 */
final class MergeFiles {
    /** A tenth is left for sections that only some of a merge's inputs have. */
    static final long BYTES_MAX = Integer.MAX_VALUE / 10L * 9;

    private static final long SEGMENT_BYTES_A_TOKEN = 16;
    private static final long SEGMENT_BYTES_A_DOCUMENT = 256;

    private MergeFiles() {}

    /** What a generation adds to the larger file of a segment, at most. */
    static long bytes(AdmittedGeneration generation) {
        long segment = SEGMENT_BYTES_A_DOCUMENT
                + SEGMENT_BYTES_A_TOKEN * (generation.tokens().length + generation.promptTail().length);
        return Math.max(segment, SidecarSize.ofGeneration(generation.producer()).bytes());
    }

    /** What a segment adds to it. */
    static long bytes(StoredSegment segment) {
        return Math.max(segment.sizeBytes(), segment.sidecarBytes());
    }
}
