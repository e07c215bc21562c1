package io.tailrace.suffix.segment;

import java.io.IOException;

/** Documents that make a segment or a sidecar larger than a file that is mapped in one piece. Nothing is written; what was to be merged is intact. */
public final class SegmentTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    SegmentTooLargeException(String lane, long segmentBytes, long sidecarBytes, long bytesMax) {
        super(
                "a segment for lane %s would have %d bytes, and its sidecar %d; each may have at most %d, so that it is mapped in one piece: merge fewer segments, or lower the lane's token budget"
                        .formatted(lane, segmentBytes, sidecarBytes, bytesMax));
    }
}
