package io.tailrace.suffix.segment;

/**
 * What a segment belongs to; stands in its header and is checked whenever it is opened.
 *
 * @param lane the lane as text, 1 to 2,000 bytes of UTF-8
 * @param vocabularySize token ids are below it; at least 1
 * @param tokenizerFingerprint names the tokenizer, 1 to 64 bytes of UTF-8
 */
public record SegmentIdentity(String lane, int vocabularySize, String tokenizerFingerprint) {}
