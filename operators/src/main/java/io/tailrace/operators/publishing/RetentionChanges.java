package io.tailrace.operators.publishing;

import io.tailrace.operators.Notice;
import io.tailrace.operators.learning.LaneLearning.Judgement;
import io.tailrace.operators.learning.RetentionTrial;
import io.tailrace.operators.learning.RetentionTrial.Candidate.Reason;
import io.tailrace.schemas.AnnouncementCause;
import java.util.Optional;

/**
 * Changes of a lane's retention between side thread and layout. A segment without the generations that are to go is written aside,
 * waits for the judge ({@link RetentionTrial}), and takes the place of the one it was made of if it is adopted. Whatever has to
 * happen meanwhile, happens: a delete, a merge, a trim to the budget, a rollback or a forced policy. The change is withdrawn then, since it
 * was of another version, and made up again later. One change at a time, so its cost on disk is one segment.
 */
final class RetentionChanges {
    private final PublishingOptions options;
    private final Layout layout;
    private final Deletes deletes;
    private final RetentionTrial trial;

    RetentionChanges(PublishingOptions options, Layout layout, Deletes deletes, RetentionTrial trial) {
        this.options = options;
        this.layout = layout;
        this.deletes = deletes;
        this.trial = trial;
    }

    /** What became of a written change. */
    enum Taken {
        /** The lane has changed meanwhile so that it does not fit any more. */
        REFUSED,
        /** It waits for the judge, or came to nothing. */
        WAITS,
        /** It is in the layout: nobody judges. */
        APPLIED
    }

    /** Takes a written change in. */
    Taken take(MergePlan.Outcome outcome) {
        MergePlan plan = outcome.plan();
        LiveSegment segment = plan.segments().get(0);
        if (trial.candidate() != null
                || !layout.older().contains(segment)
                || plan.tombstonesApplied() != deletes.seen()
                || outcome.deletedTokens() > 0) {
            return Taken.REFUSED;
        }
        if (outcome.expiredTokens() == 0) {
            layout.replace(segment, segment.agedTo(plan.plannedAt()), 0);
            return Taken.WAITS;
        }
        RetentionTrial.Candidate candidate = candidate(outcome, segment);
        if (options.retentionJudged()) {
            trial.await(candidate);
            return Taken.WAITS;
        }
        apply(candidate);
        return Taken.APPLIED;
    }

    private static RetentionTrial.Candidate candidate(MergePlan.Outcome outcome, LiveSegment segment) {
        MergePlan plan = outcome.plan();
        return new RetentionTrial.Candidate(
                0,
                0,
                plan.kind() == MergePlan.Kind.JUDGED_HALF_LIFE ? Reason.HALF_LIFE : Reason.BUDGET,
                segment.stored(),
                outcome.merged(),
                outcome.expiredTokens(),
                plan.tombstonesApplied(),
                plan.plannedAt());
    }

    /**
     * Withdraws the change if the lane is no longer what it was made for; what to tell, if anything.
     *
     * @param livePolicy number of what is live
     */
    Optional<Notice> review(long livePolicy, long nowMillis) {
        RetentionTrial.Candidate candidate = trial.candidate();
        if (candidate == null) {
            return Optional.empty();
        }
        if (!options.retentionJudged()) {
            return trial.withdraw("nothing is evaluated any more that could judge", nowMillis);
        }
        if (candidate.tombstonesApplied() != deletes.seen()) {
            return trial.withdraw("a delete goes first", nowMillis);
        }
        if (layout.find(candidate.replaced()) == null) {
            return trial.withdraw("its segment has changed", nowMillis);
        }
        if (candidate.number() > 0 && candidate.policy() != livePolicy) {
            return trial.withdraw("the policy has changed", nowMillis);
        }
        return Optional.empty();
    }

    /** Does what was decided on a change that {@link #review} has just let stand; why to announce the lane, if at all. */
    Optional<AnnouncementCause> onJudged(Judgement judgement, long nowMillis) {
        RetentionTrial.Candidate candidate = judgement.retention();
        if (judgement.adopted()) {
            apply(candidate);
            return Optional.of(AnnouncementCause.MERGE);
        }
        trial.pause(nowMillis);
        if (candidate.reason() == Reason.HALF_LIFE) {
            LiveSegment kept = layout.find(candidate.replaced());
            layout.replace(kept, kept.agedTo(nowMillis), 0);
        }
        return Optional.empty();
    }

    private void apply(RetentionTrial.Candidate candidate) {
        LiveSegment before = layout.find(candidate.replaced());
        boolean aged = candidate.reason() == Reason.HALF_LIFE;
        LiveSegment left = candidate.remaining() == null
                ? null
                : new LiveSegment(
                        candidate.remaining(),
                        candidate.tombstonesApplied(),
                        before.begunAt(),
                        candidate.plannedAt(),
                        aged ? candidate.plannedAt() : before.agedAt());
        layout.replace(before, left, candidate.tokens());
    }
}
