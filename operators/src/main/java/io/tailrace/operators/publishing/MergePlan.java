package io.tailrace.operators.publishing;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.suffix.segment.Retention;
import java.util.List;

/**
 * Work for a side thread: merge these segments into one.
 *
 * @param segments the newest segment (or none) for a fold; one older segment or several neighbours else
 * @param generations to fold, in the order of their arrival; none else
 * @param graduating the newest segment that joins the older ones when a fold is adopted; null if none does
 * @param retention what to keep
 * @param tombstonesApplied sequence of the last tombstone in {@code retention}
 * @param plannedAt epoch milliseconds
 */
record MergePlan(
        Kind kind,
        String lane,
        List<LiveSegment> segments,
        List<AdmittedGeneration> generations,
        LiveSegment graduating,
        Retention retention,
        long tombstonesApplied,
        long plannedAt) {

    /** Which part of the layout the plan is for. */
    enum Kind {
        /** Newest segment and generations that wait into a newest segment. */
        FOLD,
        /** One older segment or several neighbours into one with the same generations, but for those that age or deletes take. */
        OLDER,
        /** The oldest segment into a smaller one, at once: the lane is over its budget. */
        BUDGET,
        /** An older segment into a smaller one, to be judged: the lane is near its budget. */
        JUDGED_BUDGET,
        /** An older segment into a smaller one, to be judged: generations are past their half-life. */
        JUDGED_HALF_LIFE;

        /** True if the result is not served unless it is shown to be no worse. */
        boolean isJudged() {
            return this == JUDGED_BUDGET || this == JUDGED_HALF_LIFE;
        }
    }

    List<StoredSegment> inputs() {
        return segments.stream().map(LiveSegment::stored).toList();
    }

    /** True if the budget takes some of the inputs' generations. */
    boolean isBeyondBudget() {
        return inputTokens() > retention.liveTokensMax();
    }

    long inputTokens() {
        return segments.stream().mapToLong(LiveSegment::liveTokens).sum() + Layout.tokens(generations);
    }

    /**
     * What a side thread made of a plan.
     *
     * @param merged the durable segment; null if nothing was left to keep, or if it failed
     * @param failure why it failed; null if it did not
     */
    record Outcome(MergePlan plan, StoredSegment merged, long expiredTokens, long deletedTokens, Throwable failure) {
        static Outcome failed(MergePlan plan, Throwable failure) {
            return new Outcome(plan, null, 0, 0, failure);
        }

        /** The segment as the lane takes it; null if nothing was left. */
        LiveSegment live(long begunAt, long agedAt) {
            return merged == null
                    ? null
                    : new LiveSegment(merged, plan.tombstonesApplied(), begunAt, plan.plannedAt(), agedAt);
        }
    }
}
