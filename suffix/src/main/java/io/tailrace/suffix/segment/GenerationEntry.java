package io.tailrace.suffix.segment;

/**
 * What the sidecar keeps of one generation.
 *
 * @param requestHigh first 64 bits of the request id's hash
 * @param requestLow second 64 bits
 * @param producer who wrote it
 * @param completedAtMillis when it was completed
 */
public record GenerationEntry(long requestHigh, long requestLow, String producer, long completedAtMillis) {}
