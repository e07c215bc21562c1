package io.tailrace.suffix.snapshot;

/**
 * A segment file, or a sidecar, as a manifest or the job names it.
 *
 * @param path relative to the store's root, with forward slashes
 * @param sha256 of the whole file, 64 hexadecimal digits
 * @param sizeBytes of the whole file; 0: not known
 */
public record SegmentFile(String path, String sha256, long sizeBytes) {}
