package io.tailrace.operators.learning;

import io.tailrace.operators.Notice;
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

    private RetentionCandidate candidate;
    private long notBefore;

    /**
     * What is checkpointed of it.
     *
     * @param candidate waits or is being judged; null: none
     * @param notBefore no further change is made up before, epoch milliseconds
     */
    record State(RetentionCandidate candidate, long notBefore) {
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
    public RetentionCandidate candidate() {
        return candidate;
    }

    /** True if another change may be made up. */
    public boolean isOpen(long nowMillis) {
        return candidate == null && nowMillis >= notBefore;
    }

    /** Takes a change in, to be judged as soon as nothing else is. */
    public void await(RetentionCandidate change) {
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
    RetentionCandidate take() {
        RetentionCandidate judged = candidate;
        candidate = null;
        return judged;
    }

    /** A change was refused. */
    public void pause(long nowMillis) {
        notBefore = nowMillis + REFUSED_MILLIS;
    }

    /** The change is not judged any further; what to tell, if it was told that it is. */
    public Optional<Notice> withdraw(String why, long nowMillis) {
        RetentionCandidate dropped = take();
        notBefore = nowMillis + WITHDRAWN_MILLIS;
        return dropped.isJudged() ? Optional.of(TrialNotices.withdrawn(dropped, why)) : Optional.empty();
    }
}
