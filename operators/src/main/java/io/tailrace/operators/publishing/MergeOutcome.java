package io.tailrace.operators.publishing;

import io.tailrace.operators.store.StoredSegment;

/**
 * What a side thread made of a plan.
 *
 * @param merged the durable segment; null if nothing was left to keep, or if it failed
 * @param failure why it failed; null if it did not
 */
record MergeOutcome(MergePlan plan, StoredSegment merged, long expiredTokens, long deletedTokens, Throwable failure) {
    static MergeOutcome failed(MergePlan plan, Throwable failure) {
        return new MergeOutcome(plan, null, 0, 0, failure);
    }

    /** The segment as the lane takes it; null if nothing was left. */
    LiveSegment live(long begunAt, long agedAt) {
        return merged == null
                ? null
                : new LiveSegment(merged, plan.tombstonesApplied(), begunAt, plan.plannedAt(), agedAt);
    }
}
