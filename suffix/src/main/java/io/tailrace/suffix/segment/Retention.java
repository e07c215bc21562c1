package io.tailrace.suffix.segment;

import java.util.function.Predicate;

/**
 * What a merge keeps.
 *
 * @param completedAfterMillis generations completed before this are expired
 * @param liveTokensMax token budget, newest kept; older generations beyond it are expired
 * @param deleted generations to forget; beats everything else
 * @param expired generations that have expired for another reason than the two above
 */
public record Retention(
        long completedAfterMillis,
        long liveTokensMax,
        Predicate<GenerationEntry> deleted,
        Predicate<GenerationEntry> expired) {
    /**
     * By age and budget alone.
     *
     * @param completedAfterMillis generations completed before this are expired
     * @param liveTokensMax token budget, newest kept
     * @param deleted generations to forget
     */
    public Retention(long completedAfterMillis, long liveTokensMax, Predicate<GenerationEntry> deleted) {
        this(completedAfterMillis, liveTokensMax, deleted, entry -> false);
    }

    /**
     * Checks the budget.
     *
     * @param completedAfterMillis generations completed before this are expired
     * @param liveTokensMax token budget, newest kept; older generations beyond it are expired
     * @param deleted generations to forget; beats everything else
     * @param expired generations that have expired for another reason than the two above
     */
    public Retention {
        if (liveTokensMax < 0) {
            throw new IllegalArgumentException("liveTokensMax must be >= 0, got " + liveTokensMax);
        }
    }

    /**
     * Keeps everything.
     *
     * @return a retention that drops nothing
     */
    public static Retention everything() {
        return new Retention(Long.MIN_VALUE, Long.MAX_VALUE, entry -> false);
    }
}
