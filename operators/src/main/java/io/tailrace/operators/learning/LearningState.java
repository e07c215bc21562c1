package io.tailrace.operators.learning;

import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.suffix.learn.PolicyTrial;
import java.util.HashMap;
import java.util.Map;

/** What a lane's publisher keeps of learning. A Flink POJO; only {@link LaneLearning} gives its fields meaning. */
public final class LearningState {
    /** Each replica's last report, without the steps of trials. */
    public Map<Integer, LearningReport> replicas = new HashMap<>();
    /** The policy being judged; null: none. */
    public LanePolicy candidate;
    /** The change of retention that waits to be judged, or is; null: none. It waits while a policy is judged. */
    public RetentionCandidate retention;
    /** No further change of retention is made up before, epoch milliseconds. */
    public long retentionNotBefore;
    /** Evidence for and against it. */
    public PolicyTrial.State trial = new PolicyTrial.State();
    /** The best policy that was shown, which the candidate is judged against, too; null: the live one. */
    public LanePolicy anchor;
    /** Evidence for and against the candidate beside the anchor. */
    public PolicyTrial.State anchorTrial = new PolicyTrial.State();
    /** Evidence that the candidate is better than the anchor. */
    public PolicyTrial.State candidateAscent = new PolicyTrial.State();
    /** Evidence that the live policy is. */
    public PolicyTrial.State liveAscent = new PolicyTrial.State();
    /** When the last candidate was proposed, epoch milliseconds. */
    public long proposedAt;
    /** Labelled places that were known then. */
    public long proposedEvidence;
    /** When the candidate was told last, epoch milliseconds. */
    public long toldAt;
    /** How far its trial was then. */
    public int toldGenerations;
    /** How often it was told in vain. */
    public int toldInVain;
    /** The highest number of a trial that replicas have reported. */
    public long trialReported;
    /** The traffic's standing; null before the first report. */
    public DriftReport drift;

    /** Puts in place what state of an earlier release did not have. */
    public void complete() {
        anchorTrial = anchorTrial == null ? new PolicyTrial.State() : anchorTrial;
        candidateAscent = candidateAscent == null ? new PolicyTrial.State() : candidateAscent;
        liveAscent = liveAscent == null ? new PolicyTrial.State() : liveAscent;
    }
}
