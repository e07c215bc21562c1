package io.tailrace.suffix.segment;

import java.nio.charset.StandardCharsets;

/**
 * What a segment belongs to; stands in its header and is checked whenever it is opened.
 *
 * @param lane the lane as text, 1 to 2,000 bytes of UTF-8
 * @param vocabularySize token ids are below it; at least 1
 * @param tokenizerFingerprint names the tokenizer, 1 to 64 bytes of UTF-8
 */
public record SegmentIdentity(String lane, int vocabularySize, String tokenizerFingerprint) {
    static final int LANE_BYTES_MAX = 2000;
    static final int FINGERPRINT_BYTES_MAX = 64;

    /**
     * Checks lengths and vocabulary.
     *
     * @param lane the lane as text, 1 to 2,000 bytes of UTF-8
     * @param vocabularySize token ids are below it; at least 1
     * @param tokenizerFingerprint names the tokenizer, 1 to 64 bytes of UTF-8
     */
    public SegmentIdentity {
        requireBytes("lane", lane, LANE_BYTES_MAX);
        requireBytes("tokenizerFingerprint", tokenizerFingerprint, FINGERPRINT_BYTES_MAX);
        if (vocabularySize < 1) {
            throw new IllegalArgumentException("vocabularySize must be >= 1, got " + vocabularySize);
        }
    }

    private static void requireBytes(String name, String value, int bytesMax) {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > bytesMax) {
            throw new IllegalArgumentException(name + " must be 1 to " + bytesMax + " bytes of UTF-8, got " + bytes);
        }
    }
}
