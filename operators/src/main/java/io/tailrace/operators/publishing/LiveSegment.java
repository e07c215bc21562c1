package io.tailrace.operators.publishing;

import io.tailrace.operators.store.StoredSegment;

/**
 * A segment that a version names.
 *
 * @param tombstonesApplied it holds nothing that tombstones up to this sequence forbid
 * @param begunAt when its line of merges began: for the newest segment, when it was last empty
 * @param mergedAt when it was written; generations past their time were dropped then
 */
public record LiveSegment(StoredSegment stored, long tombstonesApplied, long begunAt, long mergedAt) {
    long liveTokens() {
        return stored.liveTokens();
    }
}
