package io.tailrace.operators.publishing;

import io.tailrace.operators.Notice;
import io.tailrace.operators.learning.LaneLearning.Judgement;
import io.tailrace.operators.learning.RetentionCandidate;
import io.tailrace.operators.learning.RetentionCandidate.Reason;
import io.tailrace.operators.learning.RetentionTrial;
import io.tailrace.schemas.AnnouncementCause;
import java.util.Optional;

/**
 * Changes of a lane's retention between side thread and layout. A segment without the generations that are to go is written aside,
 * waits for the judge ({@link RetentionTrial}), and takes the place of the one it was made of if it is adopted. Whatever has to
 * happen meanwhile, happens: a delete, a merge, a trim to the budget, a rollback or a forced policy. The change is withdrawn then, since it
 * was of another version, and made up again later. One change at a time, so its cost on disk is one segment.
 */
final class RetentionChanges {
    private final LaneState state;
    private final PublishingOptions options;
    private final RetentionTrial trial;

    RetentionChanges(LaneState state, PublishingOptions options) {
        this.state = state;
        this.options = options;
        this.trial = new RetentionTrial(state.learning());
    }

    /** Takes a written change in; false if the lane has changed meanwhile so that it does not fit any more. */
    boolean take(MergeOutcome outcome) {
        MergePlan plan = outcome.plan();
        LiveSegment segment = plan.segments().get(0);
        if (trial.candidate() != null
                || !state.older.contains(segment)
                || plan.tombstonesApplied() != state.tombstonesSeen
                || outcome.deletedTokens() > 0) {
            return false;
        }
        boolean aging = plan.kind() == MergePlan.Kind.JUDGED_HALF_LIFE;
        if (outcome.expiredTokens() == 0) {
            state.older.set(state.older.indexOf(segment), segment.agedTo(plan.plannedAt()));
            return true;
        }
        RetentionCandidate candidate = new RetentionCandidate(
                0,
                0,
                aging ? Reason.HALF_LIFE : Reason.BUDGET,
                segment.stored(),
                outcome.merged(),
                outcome.expiredTokens(),
                plan.tombstonesApplied(),
                plan.plannedAt());
        if (options.retentionJudged()) {
            trial.await(candidate);
        } else {
            apply(candidate);
        }
        return true;
    }

    /** Withdraws the change if the lane is no longer what it was made for; what to tell, if anything. */
    Optional<Notice> review(long nowMillis) {
        RetentionCandidate candidate = trial.candidate();
        if (candidate == null) {
            return Optional.empty();
        }
        if (!options.retentionJudged()) {
            return trial.withdraw("nothing is evaluated any more that could judge", nowMillis);
        }
        if (candidate.tombstonesApplied() != state.tombstonesSeen) {
            return trial.withdraw("a delete goes first", nowMillis);
        }
        if (place(candidate) < 0) {
            return trial.withdraw("its segment has changed", nowMillis);
        }
        if (candidate.number() > 0 && candidate.policy() != state.policy().number()) {
            return trial.withdraw("the policy has changed", nowMillis);
        }
        return Optional.empty();
    }

    /** Does what was decided on a change that {@link #review} has just let stand. */
    void onJudged(Judgement judgement, long nowMillis) {
        RetentionCandidate candidate = judgement.retention();
        if (judgement.adopted()) {
            apply(candidate);
            return;
        }
        trial.pause(nowMillis);
        if (candidate.reason() == Reason.HALF_LIFE) {
            int place = place(candidate);
            state.older.set(place, state.older.get(place).agedTo(nowMillis));
        }
    }

    private int place(RetentionCandidate candidate) {
        for (int i = 0; i < state.older.size(); i++) {
            if (state.older.get(i).stored().equals(candidate.replaced())) {
                return i;
            }
        }
        return -1;
    }

    private void apply(RetentionCandidate candidate) {
        int place = place(candidate);
        LiveSegment before = state.older.remove(place);
        if (candidate.remaining() != null) {
            boolean aged = candidate.reason() == Reason.HALF_LIFE;
            state.older.add(
                    place,
                    new LiveSegment(
                            candidate.remaining(),
                            candidate.tombstonesApplied(),
                            before.begunAt(),
                            candidate.plannedAt(),
                            aged ? candidate.plannedAt() : before.agesFrom()));
        }
        state.tokensExpired += candidate.tokens();
        new AnnouncementCadence(state, options.announceMillis()).makeDue(AnnouncementCause.MERGE);
    }
}
