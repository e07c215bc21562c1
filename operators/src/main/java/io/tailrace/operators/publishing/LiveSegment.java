package io.tailrace.operators.publishing;

import io.tailrace.operators.store.StoredSegment;

/**
 * A segment that a version names.
 *
 * @param tombstonesApplied it holds nothing that tombstones up to this sequence forbid
 * @param begunAt when its line of merges began: for the newest segment, when it was last empty
 * @param mergedAt when it was written; generations past their time were dropped then
 * @param agedAt up to when generations past their half-life were dropped, or were judged worth keeping
 */
public record LiveSegment(StoredSegment stored, long tombstonesApplied, long begunAt, long mergedAt, long agedAt) {
    LiveSegment agedTo(long nowMillis) {
        return new LiveSegment(stored, tombstonesApplied, begunAt, mergedAt, nowMillis);
    }

    long liveTokens() {
        return stored.liveTokens();
    }
}
