package io.tailrace.operators.learning;

import io.tailrace.operators.Notice;
import java.util.Optional;

/**
 * Changes of a lane's retention on their way to the judge: at most one is written and waits, or is being judged. Works over a
 * {@link LearningState}, beside {@link LaneLearning}, which holds the trial itself.
 */
public final class RetentionTrial {
    /** After a change was refused the next is made up no sooner: refusals cost evaluations. */
    private static final long REFUSED_MILLIS = 600_000;
    /** After one was withdrawn: whatever overtook it may come again, as deletes do. */
    private static final long WITHDRAWN_MILLIS = 60_000;

    private final LearningState state;

    public RetentionTrial(LearningState state) {
        this.state = state;
    }

    /** The change that waits or is being judged; null: none. */
    public RetentionCandidate candidate() {
        return state.retention;
    }

    /** True if another change may be made up. */
    public boolean isOpen(long nowMillis) {
        return state.retention == null && nowMillis >= state.retentionNotBefore;
    }

    /** Takes a change in, to be judged as soon as nothing else is. */
    public void await(RetentionCandidate candidate) {
        state.retention = candidate.waiting();
    }

    /** A change was refused. */
    public void pause(long nowMillis) {
        state.retentionNotBefore = nowMillis + REFUSED_MILLIS;
    }

    /** The change is not judged any further; what to tell, if it was told that it is. */
    public Optional<Notice> withdraw(String why, long nowMillis) {
        RetentionCandidate dropped = state.retention;
        state.retention = null;
        state.retentionNotBefore = nowMillis + WITHDRAWN_MILLIS;
        return dropped.isJudged() ? Optional.of(TrialNotices.withdrawn(dropped, why)) : Optional.empty();
    }
}
