package io.tailrace.client.follow.internal;

/** A manifest that this worker must not serve, now or later. Says rule, expected, got and remedy. */
final class RefusedSnapshotException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedSnapshotException(String message) {
        super(message);
    }
}
