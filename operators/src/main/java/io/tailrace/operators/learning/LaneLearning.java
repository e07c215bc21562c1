package io.tailrace.operators.learning;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.operators.Notice;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.schemas.EvaluationStatistics;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.PolicyTrial.Verdict;
import io.tailrace.suffix.learn.WeightMean;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a lane's policies: averages what its replicas have learned, proposes that as a candidate, and adopts it when evaluation has shown
 * it to be no worse than the live policy, and than the best that was shown ({@link PolicyAnchor}), on generations that none has learned from. Changes of retention ({@link RetentionTrial})
 * take turns with policies before the same judge. Remembers what drift detection said. Knows no clock and no thread.
 */
public final class LaneLearning {
    /** The number in proposals that says which policy is live: versions with another are not compared with. */
    public static final String LIVE_POLICY = "livePolicy";
    /** The number in proposals that says which policy is the best that was shown, where that is not the live one. */
    public static final String ANCHOR_POLICY = "anchorPolicy";
    /** So many alarms are remembered. */
    static final int ALARMS_MAX = 16;
    /** A candidate that differs by less from the live weights (root mean square) is not worth judging. */
    private static final double DISTANCE_MIN = 1e-4;

    private final Options options;
    private final RetentionTrial retention;
    private final LaneTrial trial;
    private final PolicyAnchor anchor;
    private final Map<Integer, LearningReport> replicas;
    private final List<Long> alarms;
    private LanePolicy candidate;
    private long proposedAt;
    private long proposedEvidence;
    private DriftWatch.Report drift;

    /**
     * What is checkpointed of it.
     *
     * @param replicas each one's last report, without the steps of trials
     * @param candidate the policy being judged; null: none
     * @param proposedAt when the last candidate was proposed, epoch milliseconds
     * @param proposedEvidence labelled places that were known then
     * @param drift the traffic's standing; null before the first report
     * @param alarms when drift alarms were raised, oldest first
     */
    public record State(
            Map<Integer, LearningReport> replicas,
            LanePolicy candidate,
            RetentionTrial.State retention,
            LaneTrial.State trial,
            PolicyAnchor.State anchor,
            long proposedAt,
            long proposedEvidence,
            DriftWatch.Report drift,
            List<Long> alarms) {
        public static final State BEGUN = new State(
                Map.of(),
                null,
                RetentionTrial.State.NONE,
                LaneTrial.State.BEGUN,
                PolicyAnchor.State.BEGUN,
                0,
                0,
                null,
                List.of());
    }

    public LaneLearning(State state, Options options) {
        this.options = options;
        this.retention = new RetentionTrial(state.retention);
        this.trial = new LaneTrial(state.trial);
        this.anchor = new PolicyAnchor(state.anchor);
        this.replicas = new HashMap<>(state.replicas);
        this.candidate = state.candidate;
        this.proposedAt = state.proposedAt;
        this.proposedEvidence = state.proposedEvidence;
        this.drift = state.drift;
        this.alarms = new ArrayList<>(state.alarms);
    }

    public State state() {
        return new State(
                Map.copyOf(replicas),
                candidate,
                retention.state(),
                trial.state(),
                anchor.state(),
                proposedAt,
                proposedEvidence,
                drift,
                List.copyOf(alarms));
    }

    /**
     * What came of a trial; one of the two candidates is there.
     *
     * @param adopted false: what is live stays
     */
    public record Judgement(boolean adopted, LanePolicy policy, RetentionTrial.Candidate retention, Notice notice) {}

    /**
     * Takes in a replica's report; what came of the trial, if it is decided with it.
     *
     * @param live what is live
     */
    public Optional<Judgement> onReport(LanePolicy live, LearningReport report) {
        replicas.put(report.replica(), report.withoutSteps());
        if (trialNumber() == 0 || report.trial() != trialNumber()) {
            return Optional.empty();
        }
        Verdict verdict = verdict(report);
        return verdict == Verdict.UNDECIDED ? Optional.empty() : Optional.of(judged(live, verdict));
    }

    private Verdict verdict(LearningReport report) {
        boolean anchored = candidate != null && anchor.policy() != null;
        int length = Math.min(report.liveSteps().length, report.candidateSteps().length);
        length = anchored ? Math.min(length, report.anchorSteps().length) : length;
        Verdict verdict = Verdict.UNDECIDED;
        for (int i = 0; i < length && verdict == Verdict.UNDECIDED; i++) {
            int live = report.liveSteps()[i];
            verdict = verdict(live, report.candidateSteps()[i], anchored ? report.anchorSteps()[i] : live);
        }
        return verdict;
    }

    /** A policy must hold beside the live one and beside the best that was shown. */
    private Verdict verdict(int live, int other, int best) {
        Verdict beside = trial.add(live, other);
        if (candidate == null) {
            return beside;
        }
        Verdict anchored = anchor.add(live, other, best);
        return beside == Verdict.ADOPT || anchored == Verdict.REFUSE ? anchored : beside;
    }

    private Judgement judged(LanePolicy live, Verdict verdict) {
        LanePolicy policy = candidate;
        boolean adopted = verdict == Verdict.ADOPT;
        RetentionTrial.Candidate change = policy == null ? retention.take() : null;
        Notice notice = policy == null
                ? TrialNotices.judged(change, verdict, trial.steps())
                : TrialNotices.judged(policy, verdict, trial, anchor);
        if (policy != null && adopted) {
            anchor.adopted(live);
        }
        candidate = null;
        begin();
        return new Judgement(adopted, policy, change, notice);
    }

    private void begin() {
        trial.begin();
        anchor.begin();
    }

    /** An operator has put a policy in place: no candidate is judged against what was better before. */
    public void anchorAtLive() {
        anchor.moveToLive();
    }

    /** Number of the trial that is on; 0: none. */
    public long trialNumber() {
        if (candidate != null) {
            return candidate.number();
        }
        return retention.candidate() == null ? 0 : retention.candidate().number();
    }

    /** Changes of retention, which wait for their turn. */
    public RetentionTrial retention() {
        return retention;
    }

    /**
     * What is to be judged next, if nothing is: a change of retention that waits, or else the mean of what the replicas have learned,
     * if it is time for one.
     */
    public Optional<Notice> propose(LanePolicy live, long nextNumber, long nowMillis) {
        if (trialNumber() > 0) {
            return trial.stands(nowMillis) ? tellAgain(live.number(), nowMillis) : Optional.empty();
        }
        if (retention.candidate() != null) {
            begin();
            return Optional.of(retention.judge(nextNumber, live.number()));
        }
        long evidence = evidence();
        proposedEvidence = Math.min(proposedEvidence, evidence);
        proposedAt = Math.min(proposedAt, nowMillis); // a clock that went back
        if (nowMillis < proposedAt + options.proposeMillis()
                || evidence < proposedEvidence + options.proposeEvidence()) {
            return Optional.empty();
        }
        proposedAt = nowMillis;
        proposedEvidence = evidence;
        float[] weights = mean();
        if (WeightMean.distance(weights, live.effectiveWeights()) < DISTANCE_MIN) {
            return Optional.empty();
        }
        LanePolicy learned = live.learned(nextNumber, weights, learnedUntil(), evidence);
        return Optional.of(judge(learned, live.number(), "the replicas' mean"));
    }

    private Optional<Notice> tellAgain(long livePolicy, long nowMillis) {
        if (candidate == null) {
            return trial.isInVain()
                    ? retention.withdraw("no replica scores it", nowMillis)
                    : Optional.of(
                            retention.judge(trialNumber(), retention.candidate().policy()));
        }
        return Optional.of(TrialNotices.proposed(candidate, livePolicy, anchor.policy(), "told again"));
    }

    /**
     * Begins to judge a policy where none is being judged; a change of retention waits.
     *
     * @param livePolicy number of the one it is judged against
     */
    public Notice judge(LanePolicy policy, long livePolicy, String origin) {
        candidate = policy;
        retention.giveWay();
        begin();
        return TrialNotices.proposed(policy, livePolicy, anchor.policy(), origin);
    }

    /** No policy is judged any further; what to tell, if one was. */
    public Optional<Notice> dropCandidate(String why) {
        LanePolicy dropped = candidate;
        if (dropped == null) {
            return Optional.empty();
        }
        candidate = null;
        begin();
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
        return replicas.values().stream()
                .filter(report -> report.replica() < options.replicas())
                .toList();
    }

    /** Everything that the mean was learned from was completed before; what replicas learned later is in it, too. */
    private long learnedUntil() {
        return learners().stream().mapToLong(LearningReport::learnedUntil).max().orElse(0);
    }

    /** Takes note of the traffic's standing. */
    public void onDrift(DriftWatch.Report report) {
        drift = report;
        if (report.raised()) {
            alarms.add(report.alarmedAt());
            if (alarms.size() > ALARMS_MAX) {
                alarms.remove(0);
            }
        }
    }

    /** The traffic's standing; null before the first report. */
    public DriftWatch.Report drift() {
        return drift;
    }

    /** When alarms were raised, oldest first, epoch milliseconds. */
    public List<Long> alarms() {
        return List.copyOf(alarms);
    }

    /** As a manifest carries it; null before the first evaluation. */
    public EvaluationStatistics statistics() {
        return replicas.isEmpty() ? null : LearningReport.Figures.of(replicas.values());
    }

    /**
     * How policies are made.
     *
     * @param proposeMillis least time between two candidates
     * @param proposeEvidence labelled places that must have come since the last one
     * @param priorEvidence how many labelled places the product's default weights are worth
     * @param replicas of a lane's evaluation; what others reported, when there were more, is not used any more
     */
    public record Options(long proposeMillis, long proposeEvidence, long priorEvidence, int replicas)
            implements Serializable {
        public Options {
            require(proposeMillis >= 0, "proposeMillis must be >= 0, got %d", proposeMillis);
            require(proposeEvidence >= 1, "proposeEvidence must be >= 1, got %d", proposeEvidence);
            require(priorEvidence >= 0, "priorEvidence must be >= 0, got %d", priorEvidence);
            require(replicas >= 1, "replicas must be >= 1, got %d", replicas);
        }

        /** A minute, 5,000 places, worth 1,000, two replicas. */
        public static Options defaults() {
            return new Options(
                    60_000, 5_000, 1_000, EvaluationSample.Sampling.defaults().replicas());
        }
    }
}
