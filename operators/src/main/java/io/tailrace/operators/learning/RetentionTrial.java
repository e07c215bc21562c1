package io.tailrace.operators.learning;

import io.tailrace.operators.Notice;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.RetentionChange;
import io.tailrace.schemas.SegmentRole;
import java.util.List;
import java.util.Optional;

/**
 * Changes of a lane's retention on their way to the judge: at most one is written and waits, or is being judged by {@link LaneLearning}, which holds the
 * trial itself.
 */
public final class RetentionTrial {
    /** After a change was refused the next is made up no sooner: refusals cost evaluations. */
    private static final long REFUSED_MILLIS = 600_000;
    /** After one was withdrawn: whatever overtook it may come again, as deletes do. */
    private static final long WITHDRAWN_MILLIS = 60_000;

    private Candidate candidate;
    private long notBefore;

    /**
     * What is checkpointed of it.
     *
     * @param candidate waits or is being judged; null: none
     * @param notBefore no further change is made up before, epoch milliseconds
     */
    record State(Candidate candidate, long notBefore) {
        static final State NONE = new State(null, 0);
    }

    RetentionTrial(State state) {
        candidate = state.candidate;
        notBefore = state.notBefore;
    }

    State state() {
        return new State(candidate, notBefore);
    }

    /** The change that waits or is being judged; null: none. */
    public Candidate candidate() {
        return candidate;
    }

    /** True if another change may be made up. */
    public boolean isOpen(long nowMillis) {
        notBefore = Math.min(notBefore, nowMillis + REFUSED_MILLIS); // a clock that went back
        return candidate == null && nowMillis >= notBefore;
    }

    /** Takes a change in, to be judged as soon as nothing else is. */
    public void await(Candidate change) {
        candidate = change.waiting();
    }

    /** It is judged from now on, or told again. */
    Notice judge(long number, long livePolicy) {
        candidate = candidate.judgedAs(number, livePolicy);
        return TrialNotices.proposed(candidate);
    }

    /** Something else is judged first. */
    void giveWay() {
        candidate = candidate == null ? null : candidate.waiting();
    }

    /** The change, which is judged: there is none any more. */
    Candidate take() {
        Candidate judged = candidate;
        candidate = null;
        return judged;
    }

    /** A change was refused. */
    public void pause(long nowMillis) {
        notBefore = nowMillis + REFUSED_MILLIS;
    }

    /** The change is not judged any further; what to tell, if it was told that it is. */
    public Optional<Notice> withdraw(String why, long nowMillis) {
        Candidate dropped = take();
        notBefore = nowMillis + WITHDRAWN_MILLIS;
        return dropped.isJudged() ? Optional.of(TrialNotices.withdrawn(dropped, why)) : Optional.empty();
    }

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
    public record Candidate(
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

        Candidate judgedAs(long trial, long livePolicy) {
            return new Candidate(trial, livePolicy, reason, replaced, remaining, tokens, tombstonesApplied, plannedAt);
        }

        Candidate waiting() {
            return judgedAs(0, 0);
        }

        RetentionChange toRecord() {
            return new RetentionChange(
                    List.of(replaced.sha256()),
                    remaining == null ? List.of() : List.of(remaining.reference(SegmentRole.OLDER)));
        }
    }
}
