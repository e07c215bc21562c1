package io.tailrace.suffix.segment;

/**
 * A segment file in numbers.
 *
 * @param sha256 of the whole file, 64 hexadecimal digits
 * @param documents distinct documents
 * @param textTokens stored tokens, terminators not counted
 * @param liveTokens tokens of all generations it stands for: length times multiplicity, summed
 * @param newestCompletedAtMillis newest completion time of its documents
 */
public record SegmentSummary(
        String sha256, long sizeBytes, int documents, long textTokens, long liveTokens, long newestCompletedAtMillis) {}
