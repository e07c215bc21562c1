package io.tailrace.operators.store;

/**
 * A file as the store lists it.
 *
 * @param path relative to the store's root, with forward slashes
 */
public record StoredFile(String path, long sizeBytes, long modifiedAtMillis) {}
