package io.tailrace.suffix.segment;

import java.util.function.Predicate;

/**
 * What a merge keeps.
 *
 * @param completedAfterMillis generations completed before this are expired
 * @param liveTokensMax token budget, newest kept; older generations beyond it are expired
 * @param deleted generations to forget; beats everything else
 */
public record Retention(long completedAfterMillis, long liveTokensMax, Predicate<GenerationEntry> deleted) {
    public Retention {
        if (liveTokensMax < 0) {
            throw new IllegalArgumentException("liveTokensMax must be >= 0, got " + liveTokensMax);
        }
    }

    /** Keeps everything. */
    public static Retention everything() {
        return new Retention(Long.MIN_VALUE, Long.MAX_VALUE, entry -> false);
    }
}
