package io.tailrace.operators.learning;

import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.RetentionChange;
import io.tailrace.schemas.SegmentRole;
import java.util.List;

/**
 * A segment without the generations that a change of retention drops: written and durable, but not served unless adopted.
 *
 * @param number of its trial; 0: it waits for one
 * @param policy number of the policy that is live in the trial
 * @param reason why generations are to go
 * @param replaced what the lane serves now
 * @param remaining what would take its place; null: nothing is left
 * @param tokens that would go
 * @param tombstonesApplied deletes that {@code remaining} has been through
 * @param plannedAt epoch milliseconds
 */
public record RetentionCandidate(
        long number,
        long policy,
        Reason reason,
        StoredSegment replaced,
        StoredSegment remaining,
        long tokens,
        long tombstonesApplied,
        long plannedAt) {
    /** Why generations are to go. */
    public enum Reason {
        HALF_LIFE("their half-life"),
        BUDGET("the lane's budget");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    boolean isJudged() {
        return number > 0;
    }

    RetentionCandidate judgedAs(long trial, long livePolicy) {
        return new RetentionCandidate(
                trial, livePolicy, reason, replaced, remaining, tokens, tombstonesApplied, plannedAt);
    }

    RetentionCandidate waiting() {
        return judgedAs(0, 0);
    }

    RetentionChange toRecord() {
        return new RetentionChange(
                List.of(replaced.sha256()),
                remaining == null ? List.of() : List.of(remaining.reference(SegmentRole.OLDER)));
    }
}
