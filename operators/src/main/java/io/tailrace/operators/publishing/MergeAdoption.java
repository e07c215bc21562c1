package io.tailrace.operators.publishing;

import io.tailrace.operators.indexing.FlushedSegment;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Puts merged segments in the place of those they were made of, if these are still there. */
final class MergeAdoption {
    private final LaneState state;
    private final PublishingOptions options;
    private final LaneLayout layout;
    private final AnnouncementCadence cadence;

    MergeAdoption(LaneState state, PublishingOptions options) {
        this.state = state;
        this.options = options;
        this.layout = new LaneLayout(state);
        this.cadence = new AnnouncementCadence(state, options.announceMillis());
    }

    /** Takes the result of a plan; false if the lane has changed meanwhile so that it does not fit any more. */
    boolean adopt(MergeOutcome outcome) {
        if (outcome.plan().kind().isJudged()) {
            return new RetentionChanges(state, options).take(outcome);
        }
        long cleanTo = layout.cleanTo();
        boolean adopted = outcome.plan().kind() == MergePlan.Kind.FOLD ? adoptFold(outcome) : adoptOlder(outcome);
        if (adopted) {
            requireBalance(outcome);
            state.tokensExpired += outcome.expiredTokens();
            state.tokensDeleted += outcome.deletedTokens();
            if (layout.cleanTo() > cleanTo) {
                cadence.makeDue(AnnouncementCause.DELETE);
            }
        }
        return adopted;
    }

    /** A merge loses nothing but what it says: a loss would go unjudged and unseen. */
    private static void requireBalance(MergeOutcome outcome) {
        long before = outcome.plan().inputTokens();
        long after = outcome.merged() == null ? 0 : outcome.merged().liveTokens();
        if (before != after + outcome.expiredTokens() + outcome.deletedTokens()) {
            throw new IllegalStateException("a merge of %d tokens left %d, with %d expired and %d deleted (lane %s)"
                    .formatted(
                            before,
                            after,
                            outcome.expiredTokens(),
                            outcome.deletedTokens(),
                            outcome.plan().lane()));
        }
    }

    private boolean adoptFold(MergeOutcome outcome) {
        MergePlan plan = outcome.plan();
        LiveSegment base =
                plan.segments().isEmpty() ? plan.graduating() : plan.segments().get(0);
        if (!Objects.equals(base, state.newest)
                || !flushesBeginWith(plan.flushes())
                || (plan.graduating() != null && state.older.size() >= SegmentPlanner.OLDER_MAX)) {
            return false;
        }
        if (plan.graduating() != null) {
            state.older.add(plan.graduating());
        }
        long begunAt = plan.segments().isEmpty() ? plan.plannedAt() : base.begunAt();
        LiveSegment before = state.newest;
        long agedAt = plan.segments().isEmpty() ? plan.plannedAt() : base.agesFrom();
        state.newest = liveSegment(outcome, begunAt, agedAt);
        for (FlushedSegment flush : plan.flushes()) {
            flush.offsets().forEach((partition, offset) -> state.offsets.merge(partition, offset, Math::max));
            for (long completedAt : flush.completionTimes()) {
                state.completionsFolded.add(completedAt);
            }
        }
        state.flushes.subList(0, plan.flushes().size()).clear();
        if (!plan.flushes().isEmpty() || !sameContent(before, state.newest)) {
            cadence.makeDue(AnnouncementCause.CADENCE);
        }
        return true;
    }

    private boolean flushesBeginWith(List<FlushedSegment> planned) {
        if (planned.size() > state.flushes.size()) {
            return false;
        }
        for (int i = 0; i < planned.size(); i++) {
            if (!planned.get(i).segment().equals(state.flushes.get(i).segment())) {
                return false;
            }
        }
        return true;
    }

    private boolean adoptOlder(MergeOutcome outcome) {
        List<LiveSegment> planned = outcome.plan().segments();
        int first = Collections.indexOfSubList(state.older, planned);
        if (first < 0) {
            return false;
        }
        long agedAt = planned.stream().mapToLong(LiveSegment::agesFrom).min().orElseThrow();
        LiveSegment merged = liveSegment(outcome, planned.get(0).begunAt(), agedAt);
        boolean changed = planned.size() > 1 || !sameContent(planned.get(0), merged);
        state.older.subList(first, first + planned.size()).clear();
        if (merged != null) {
            state.older.add(first, merged);
        }
        if (changed) {
            cadence.makeDue(AnnouncementCause.MERGE);
        }
        return true;
    }

    private static LiveSegment liveSegment(MergeOutcome outcome, long begunAt, long agedAt) {
        return outcome.merged() == null
                ? null
                : new LiveSegment(
                        outcome.merged(),
                        outcome.plan().tombstonesApplied(),
                        begunAt,
                        outcome.plan().plannedAt(),
                        agedAt);
    }

    private static boolean sameContent(LiveSegment before, LiveSegment after) {
        return Objects.equals(before == null ? null : before.stored(), after == null ? null : after.stored());
    }
}
