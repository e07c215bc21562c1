package io.tailrace.operators.publishing;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.store.StoredSegment;

/**
 * How large the files of a merged segment become. A segment and its sidecar are mapped in one piece each, so neither may reach 2 GiB: with short
 * answers, long before the heap is full.
 */
final class MergeFiles {
    /** A tenth is left for sections that only some of a merge's inputs have. */
    static final long BYTES_MAX = Integer.MAX_VALUE / 10L * 9;

    private static final long SIDECAR_BYTES_A_DOCUMENT = 4;
    private static final long SIDECAR_BYTES_A_GENERATION = 28;
    private static final long SEGMENT_BYTES_A_TOKEN = 16;
    private static final long SEGMENT_BYTES_A_DOCUMENT = 256;

    private MergeFiles() {}

    /** What a generation adds to the larger file of a segment, at most. */
    static long bytes(AdmittedGeneration generation) {
        return SEGMENT_BYTES_A_DOCUMENT
                + SEGMENT_BYTES_A_TOKEN * (generation.tokens().length + generation.promptTail().length);
    }

    /** What a segment adds to it. */
    static long bytes(StoredSegment segment) {
        double generations = segment.textTokens() == 0
                ? 0
                : (double) segment.documents() * segment.liveTokens() / segment.textTokens();
        long sidecar = SIDECAR_BYTES_A_DOCUMENT * segment.documents()
                + (long) Math.ceil(SIDECAR_BYTES_A_GENERATION * generations);
        return Math.max(segment.sizeBytes(), sidecar);
    }
}
