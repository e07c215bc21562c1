package io.tailrace.worker.serve;

import java.util.Objects;

/**
 * What drafts, and how much of it is verified.
 *
 * @param strategy name of the strategy, with its parameters
 * @param measured verify as much as pays by measured step times; false: always the whole budget
 */
public record DraftOptions(String strategy, boolean measured) {
    public DraftOptions {
        Objects.requireNonNull(strategy, "strategy");
    }

    /** {@code adaptive}, as much as pays. */
    public static DraftOptions defaults() {
        return new DraftOptions("adaptive", true);
    }
}
