package io.tailrace.suffix.snapshot;

import java.util.OptionalInt;

/**
 * A lane's layout rule: one newest segment, rebuilt at each announcement, and at most three older ones.
 *
 * <p>A draft looks into every segment, so its time grows with their number; a generation costs a rewrite each time its
 * segment is merged. The newest segment grows until it is large or old; then it joins the older ones (it graduates) and a new
 * one begins. While there are three older ones it goes on growing, and some of them are merged aside: the pair of neighbours that is
 * most alike in size, and what is younger than it. That keeps sizes geometric, and a token is rewritten about the square root of the
 * number of graduations times, little more than the least that three segments allow (docs/decisions/0003-segment-layout.md). Merging
 * neighbours only keeps every segment one stretch of time.
 *
 * <p>Under load a fold brings much at once, and a newest segment that graduates after each fold makes the older ones be rewritten all the time. So
 * it stays until it holds {@value #FOLDS_HELD} folds like the one to come, or a larger limit: each fold of it costs its size.
 *
 * <p>Only numbers come in and go out: what segments are, and who merges them, is the caller's. Used by the job's publisher,
 * and by benchmarks that lay out a lane as the job does.
 *
 * @param newestTokensMax the newest segment graduates when it holds more and folds are small
 * @param loadTokensMax or when it holds more than this, however large folds are
 * @param newestAgeMillisMax or when it was begun longer ago
 */
public record SegmentPlanner(long newestTokensMax, long loadTokensMax, long newestAgeMillisMax) {
    /** Most segments beside the newest. */
    public static final int OLDER_MAX = 3;

    static final int FOLDS_HELD = 3;

    public SegmentPlanner {
        if (newestTokensMax < 1 || newestAgeMillisMax < 1) {
            throw new IllegalArgumentException("newestTokensMax and newestAgeMillisMax must be >= 1, got "
                    + newestTokensMax + " and " + newestAgeMillisMax);
        }
    }

    /**
     * True if a newest segment of this size and age now joins the older ones and the next fold begins a new one.
     *
     * @param foldTokens what the next fold brings
     */
    public boolean graduates(long newestTokens, long newestAgeMillis, int olderCount, long foldTokens) {
        long underLoad = Math.min(FOLDS_HELD * foldTokens, loadTokensMax);
        boolean large = newestTokens > Math.max(newestTokensMax, underLoad);
        return olderCount < OLDER_MAX && (large || newestAgeMillis > newestAgeMillisMax);
    }

    /**
     * Index of the older segment from which on all are to be merged into one, so that there is room when the newest segment
     * graduates. It is begun when the newest is half full or half its time is over: until it is done, each fold of the newest
     * costs more than it should.
     *
     * @param olderTokens sizes of the older segments, oldest first
     */
    public OptionalInt mergeFrom(long[] olderTokens, long newestTokens, long newestAgeMillis) {
        if (olderTokens.length < OLDER_MAX || !isHalfDone(newestTokens, newestAgeMillis)) {
            return OptionalInt.empty();
        }
        int best = 0;
        for (int i = 1; i + 1 < olderTokens.length; i++) {
            if (isBetter(olderTokens, i, best)) {
                best = i;
            }
        }
        return OptionalInt.of(best);
    }

    private boolean isHalfDone(long newestTokens, long newestAgeMillis) {
        return 2 * newestTokens > newestTokensMax || 2 * newestAgeMillis > newestAgeMillisMax;
    }

    /** More alike, or as alike and smaller. */
    private static boolean isBetter(long[] sizes, int pair, int other) {
        int order = Double.compare(ratio(sizes, pair), ratio(sizes, other));
        return order < 0 || (order == 0 && together(sizes, pair) < together(sizes, other));
    }

    private static double ratio(long[] sizes, int pair) {
        long larger = Math.max(sizes[pair], sizes[pair + 1]);
        return (double) larger / Math.max(1, Math.min(sizes[pair], sizes[pair + 1]));
    }

    private static long together(long[] sizes, int pair) {
        return sizes[pair] + sizes[pair + 1];
    }
}
