package io.tailrace.operators.learning;

import io.tailrace.operators.Notice;
import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.schemas.EvaluationStatistics;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.PolicyTrial;
import io.tailrace.suffix.learn.WeightMean;
import java.util.List;
import java.util.Optional;

/**
 * Makes a lane's policies: averages what its replicas have learned, proposes that as a candidate, and adopts it when evaluation has shown
 * it to be no worse than the live policy, and than the best that was shown ({@link PolicyAnchor}), on generations that none has learned from. Changes of retention ({@link RetentionTrial})
 * take turns with policies before the same judge. Works over a {@link LearningState}; knows no clock and no thread.
 */
public final class LaneLearning {
    /** The number in proposals that says which policy is live: versions with another are not compared with. */
    public static final String LIVE_POLICY = "livePolicy";
    /** The number in proposals that says which policy is the best that was shown, where that is not the live one. */
    public static final String ANCHOR_POLICY = "anchorPolicy";
    /** A candidate that differs by less from the live weights (root mean square) is not worth judging. */
    private static final double DISTANCE_MIN = 1e-4;
    /** A change of retention that was told so often in vain is withdrawn: no replica can read its segment. */
    private static final int TOLD_IN_VAIN_MAX = 5;

    private final LearningState state;
    private final LearningOptions options;
    private final LaneTrial trial;
    private final PolicyAnchor anchor;

    public LaneLearning(LearningState state, LearningOptions options) {
        this.state = state;
        this.options = options;
        this.trial = new LaneTrial(state);
        this.anchor = new PolicyAnchor(state);
    }

    /**
     * What came of a trial; one of the two candidates is there.
     *
     * @param adopted false: what is live stays
     */
    public record Judgement(boolean adopted, LanePolicy policy, RetentionCandidate retention, Notice notice) {}

    /**
     * Takes in a replica's report; what came of the trial, if it is decided with it.
     *
     * @param live what is live
     */
    public Optional<Judgement> onReport(LanePolicy live, LearningReport report) {
        state.replicas.put(report.replica(), report.withoutSteps());
        return trial.onSteps(report).map(verdict -> judged(live, verdict));
    }

    private Judgement judged(LanePolicy live, PolicyTrial.Verdict verdict) {
        LanePolicy policy = state.candidate;
        RetentionCandidate retention = policy == null ? state.retention : null;
        Notice notice = policy == null
                ? TrialNotices.judged(retention, verdict, state.trial)
                : TrialNotices.judged(policy, verdict, state);
        if (policy != null && verdict == PolicyTrial.Verdict.ADOPT) {
            anchor.adopted(live);
        }
        state.candidate = null;
        state.retention = policy == null ? null : state.retention;
        trial.begin();
        return new Judgement(verdict == PolicyTrial.Verdict.ADOPT, policy, retention, notice);
    }

    /** An operator has put a policy in place: no candidate is judged against what was better before. */
    public void anchorAtLive() {
        anchor.moveToLive();
    }

    /** Number of the trial that is on; 0: none. */
    public long trialNumber() {
        return trial.number();
    }

    /**
     * What is to be judged next, if nothing is: a change of retention that waits, or else the mean of what the replicas have learned,
     * if it is time for one.
     */
    public Optional<Notice> propose(LanePolicy live, long nextNumber, long nowMillis) {
        if (trial.isOn()) {
            return trial.stands(nowMillis) ? tellAgain(live.number(), nowMillis) : Optional.empty();
        }
        if (state.retention != null) {
            state.retention = state.retention.judgedAs(nextNumber, live.number());
            trial.begin();
            return Optional.of(TrialNotices.proposed(state.retention));
        }
        long evidence = evidence();
        state.proposedEvidence = Math.min(state.proposedEvidence, evidence);
        if (nowMillis < state.proposedAt + options.proposeMillis()
                || evidence < state.proposedEvidence + options.proposeEvidence()) {
            return Optional.empty();
        }
        state.proposedAt = nowMillis;
        state.proposedEvidence = evidence;
        float[] weights = mean();
        if (WeightMean.distance(weights, live.effectiveWeights()) < DISTANCE_MIN) {
            return Optional.empty();
        }
        LanePolicy learned = live.learned(nextNumber, weights, learnedUntil(), evidence);
        return Optional.of(judge(learned, live.number(), "the replicas' mean"));
    }

    private Optional<Notice> tellAgain(long livePolicy, long nowMillis) {
        if (state.candidate == null && state.toldInVain > TOLD_IN_VAIN_MAX) {
            return new RetentionTrial(state).withdraw("no replica scores it", nowMillis);
        }
        long number = trial.isOvertaken() ? state.trialReported + 1 : trial.number();
        if (state.candidate == null) {
            state.retention = state.retention.judgedAs(number, state.retention.policy());
            return Optional.of(TrialNotices.proposed(state.retention));
        }
        state.candidate = state.candidate.withNumber(number);
        return Optional.of(TrialNotices.proposed(state.candidate, livePolicy, anchor.policy(), "told again"));
    }

    /**
     * Begins to judge a policy where none is being judged; a change of retention waits.
     *
     * @param livePolicy number of the one it is judged against
     */
    public Notice judge(LanePolicy candidate, long livePolicy, String origin) {
        state.candidate = candidate;
        state.retention = state.retention == null ? null : state.retention.waiting();
        trial.begin();
        return TrialNotices.proposed(candidate, livePolicy, anchor.policy(), origin);
    }

    /** No policy is judged any further; what to tell, if one was. */
    public Optional<Notice> dropCandidate(String why) {
        LanePolicy dropped = state.candidate;
        if (dropped == null) {
            return Optional.empty();
        }
        state.candidate = null;
        trial.begin();
        return Optional.of(TrialNotices.dropped(dropped, why));
    }

    private float[] mean() {
        WeightMean mean = new WeightMean(Mixer.defaults().weights(), options.priorEvidence());
        for (LearningReport report : learners()) {
            mean.add(report.weights(), report.evidence());
        }
        return mean.weights();
    }

    private long evidence() {
        return learners().stream().mapToLong(LearningReport::evidence).sum();
    }

    /** Replicas that learn; of those from a time when there were more, only what they counted is of use. */
    private List<LearningReport> learners() {
        return state.replicas.values().stream()
                .filter(report -> report.replica() < options.replicas())
                .toList();
    }

    /** Everything that the mean was learned from was completed before; what replicas learned later is in it, too. */
    private long learnedUntil() {
        return learners().stream().mapToLong(LearningReport::learnedUntil).max().orElse(0);
    }

    /** As a manifest carries it; null before the first evaluation. */
    public EvaluationStatistics statistics() {
        return state.replicas.isEmpty() ? null : EvaluationFigures.of(state.replicas.values());
    }
}
