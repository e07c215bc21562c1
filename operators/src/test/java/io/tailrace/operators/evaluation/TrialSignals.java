package io.tailrace.operators.evaluation;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.evaluation.EvaluatorBench.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Notice;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.learning.AnchoredLearning;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.operators.learning.RetentionTrial;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.EventKind;

/** What topic events tells the evaluators of a lane's candidates. */
final class TrialSignals {
    private TrialSignals() {}

    /**
     * A policy is put up.
     *
     * @param livePolicy number of the policy that it is compared with
     * @param anchor the best policy that was shown; null: the live one
     */
    static LaneSignal policy(LanePolicy candidate, long livePolicy, LanePolicy anchor) {
        Notice notice = AnchoredLearning.at(anchor).judge(candidate, livePolicy, "a test");
        assertThat(notice.kind()).isEqualTo(EventKind.POLICY_PROPOSED);
        OutgoingRecord event = notice.toRecord(LANE, START, 0);
        return new LaneSignal(LaneSignal.Kind.CANDIDATE, LANE, candidate.number(), START, 0, event.value());
    }

    /**
     * A change of retention is put up.
     *
     * @param remaining what would be left of what is replaced; null: nothing
     */
    static LaneSignal retention(long trial, StoredSegment replaced, StoredSegment remaining) {
        LaneLearning learning = new LaneLearning(LaneLearning.State.BEGUN, LaneLearning.Options.defaults());
        learning.retention()
                .await(new RetentionTrial.Candidate(
                        0, 0, RetentionTrial.Candidate.Reason.HALF_LIFE, replaced, remaining, 9, 0, START));
        Notice notice = learning.propose(LanePolicy.defaults(), trial, START).orElseThrow();
        return new LaneSignal(
                LaneSignal.Kind.CANDIDATE,
                LANE,
                trial,
                START + trial,
                0,
                notice.toRecord(LANE, START, 0).value());
    }

    /** The trial is over. */
    static LaneSignal end(long trial) {
        return new LaneSignal(LaneSignal.Kind.CANDIDATE, LANE, trial, 0, 0, null);
    }
}
