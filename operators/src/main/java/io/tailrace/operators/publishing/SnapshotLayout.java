package io.tailrace.operators.publishing;

import java.util.List;
import java.util.OptionalInt;

/**
 * The layout rule: one newest segment, rebuilt at each announcement, and at most three older ones.
 *
 * <p>The newest grows until it is large or old; then it joins the older ones and a new one begins. While there are three
 * older ones it goes on growing, and two neighbours among them are merged aside: the pair that is smallest together, so that
 * each generation is rewritten about once for each doubling of the lane.
 */
final class SnapshotLayout {
    /** Most segments beside the newest. */
    static final int OLDER_MAX = 3;

    private final PublishingOptions options;

    SnapshotLayout(PublishingOptions options) {
        this.options = options;
    }

    /** True if the newest segment now joins the older ones and the next fold begins a new one. */
    boolean graduates(LiveSegment newest, int olderCount, long nowMillis) {
        return newest != null
                && olderCount < OLDER_MAX
                && (newest.liveTokens() > options.newestTokensMax()
                        || nowMillis - newest.begunAt() > options.newestAgeMillisMax());
    }

    /**
     * Index of the first of two older neighbours to merge, so that there is room when the newest segment graduates. It is
     * begun when the newest is half full: until it is done, each fold of the newest costs more than it should.
     */
    OptionalInt pairToMerge(List<LiveSegment> older, LiveSegment newest, long nowMillis) {
        if (older.size() < OLDER_MAX || newest == null || !halfDone(newest, nowMillis)) {
            return OptionalInt.empty();
        }
        int best = 0;
        for (int i = 1; i + 1 < older.size(); i++) {
            if (together(older, i) < together(older, best)) {
                best = i;
            }
        }
        return OptionalInt.of(best);
    }

    private boolean halfDone(LiveSegment newest, long nowMillis) {
        return 2 * newest.liveTokens() > options.newestTokensMax()
                || 2 * (nowMillis - newest.begunAt()) > options.newestAgeMillisMax();
    }

    private static long together(List<LiveSegment> older, int first) {
        return older.get(first).liveTokens() + older.get(first + 1).liveTokens();
    }
}
