package io.tailrace.operators.learning;

import io.tailrace.operators.Notice;
import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.ReplayCounterfactual;
import io.tailrace.schemas.ReplayStatistics;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.PolicyTrial;
import io.tailrace.suffix.learn.WeightMean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes a lane's policies: averages what its replicas have learned, proposes that as a candidate, and adopts it when replay has shown
 * it to be no worse than the live policy on generations that neither has learned from. Works over a {@link LearningState}; knows no
 * clock and no thread.
 */
public final class LaneLearning {
    /** A candidate that differs by less from the live weights (root mean square) is not worth judging. */
    private static final double DISTANCE_MIN = 1e-4;
    /** A trial that does not go on for so long is told again: replayers may have missed it across a restore. */
    private static final long TOLD_AGAIN_MILLIS = 60_000;

    private final LearningState state;
    private final LearningOptions options;

    public LaneLearning(LearningState state, LearningOptions options) {
        this.state = state;
        this.options = options;
    }

    /**
     * What came of a trial.
     *
     * @param adopted the policy to announce; null if it is refused
     */
    public record Judgement(LanePolicy adopted, Notice notice) {}

    /** Takes in a replica's report; what came of the trial, if it is decided with it. */
    public Optional<Judgement> onReport(LearningReport report) {
        state.replicas.put(report.replica(), withoutSteps(report));
        if (state.candidate == null || report.trial() != state.candidate.number()) {
            return Optional.empty();
        }
        PolicyTrial trial = new PolicyTrial(state.trial);
        PolicyTrial.Verdict verdict = PolicyTrial.Verdict.UNDECIDED;
        int length = Math.min(report.liveSteps().length, report.candidateSteps().length);
        for (int i = 0; i < length && verdict == PolicyTrial.Verdict.UNDECIDED; i++) {
            verdict = trial.add(report.liveSteps()[i], report.candidateSteps()[i]);
        }
        return verdict == PolicyTrial.Verdict.UNDECIDED ? Optional.empty() : Optional.of(judged(verdict));
    }

    private static LearningReport withoutSteps(LearningReport report) {
        return new LearningReport(
                report.lane(),
                report.replica(),
                report.weights(),
                report.evidence(),
                report.learnedUntil(),
                report.totals(),
                report.choices(),
                0,
                new int[0],
                new int[0]);
    }

    private Judgement judged(PolicyTrial.Verdict verdict) {
        LanePolicy candidate = state.candidate;
        PolicyTrial.State trial = state.trial;
        state.candidate = null;
        state.trial = new PolicyTrial.State();
        boolean adopted = verdict == PolicyTrial.Verdict.ADOPT;
        String what = switch (verdict) {
            case ADOPT -> "adopted: no worse than the live one";
            case REFUSE -> "refused: worse than the live one";
            default -> "refused: not shown to be as good as the live one";
        };
        String message = "policy %d is %s on %d generations that neither has learned from (%d steps against %d)"
                .formatted(candidate.number(), what, trial.generations, trial.candidateSteps, trial.liveSteps);
        Map<String, Long> numbers = new TreeMap<>();
        numbers.put("trial", candidate.number());
        numbers.put("generations", (long) trial.generations);
        numbers.put("liveSteps", trial.liveSteps);
        numbers.put("candidateSteps", trial.candidateSteps);
        EventKind kind = adopted ? EventKind.POLICY_ADOPTED : EventKind.POLICY_REFUSED;
        return new Judgement(adopted ? candidate : null, new Notice(kind, message, numbers));
    }

    /** The mean of what the replicas have learned as the next candidate, if it is time for one and none is being judged. */
    public Optional<Notice> propose(LanePolicy live, long nextNumber, long nowMillis) {
        if (state.candidate != null) {
            return tellAgain(nowMillis);
        }
        long evidence = evidence();
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
        return Optional.of(judge(live.learned(nextNumber, weights, learnedUntil(), evidence), "the replicas' mean"));
    }

    private Optional<Notice> tellAgain(long nowMillis) {
        if (nowMillis < state.toldAt + TOLD_AGAIN_MILLIS) {
            return Optional.empty();
        }
        boolean stands = state.toldAt > 0 && state.trial.generations == state.toldGenerations;
        state.toldAt = nowMillis;
        state.toldGenerations = state.trial.generations;
        return stands ? Optional.of(proposal(state.candidate, "told again")) : Optional.empty();
    }

    /** Begins to judge a policy; one that was being judged is dropped. */
    public Notice judge(LanePolicy candidate, String origin) {
        state.candidate = candidate;
        state.trial = new PolicyTrial.State();
        state.toldAt = 0;
        return proposal(candidate, origin);
    }

    private static Notice proposal(LanePolicy candidate, String origin) {
        String message = "policy %d (%s, %d labelled places) is being judged against the live one"
                .formatted(candidate.number(), origin, candidate.evidence());
        return new Notice(
                EventKind.POLICY_PROPOSED, message, Map.of("trial", candidate.number()), candidate.toRecord(List.of()));
    }

    /** The candidate is not judged any further: the live policy has changed under it. */
    public void dropCandidate() {
        state.candidate = null;
        state.trial = new PolicyTrial.State();
    }

    private float[] mean() {
        WeightMean mean = new WeightMean(Mixer.defaults().weights(), options.priorEvidence());
        for (LearningReport report : state.replicas.values()) {
            mean.add(report.weights(), report.evidence());
        }
        return mean.weights();
    }

    private long evidence() {
        return state.replicas.values().stream()
                .mapToLong(LearningReport::evidence)
                .sum();
    }

    /** Everything that the mean was learned from was completed before; what replicas learned later is in it, too. */
    private long learnedUntil() {
        return state.replicas.values().stream()
                .mapToLong(LearningReport::learnedUntil)
                .max()
                .orElse(0);
    }

    /** As a manifest carries it; null before the first replay. */
    public ReplayStatistics statistics() {
        if (state.replicas.isEmpty()) {
            return null;
        }
        ReplayTotals all = ReplayTotals.ZERO;
        Map<String, ReplayTotals> choices = new TreeMap<>();
        for (LearningReport report : state.replicas.values()) {
            all = all.plus(report.totals());
            report.choices().forEach((choice, totals) -> choices.merge(choice, totals, ReplayTotals::plus));
        }
        List<ReplayCounterfactual> counted = new ArrayList<>();
        choices.forEach((choice, totals) ->
                counted.add(new ReplayCounterfactual(choice, totals.steps(), totals.drafted(), totals.accepted())));
        return new ReplayStatistics(
                all.generations(), all.responseTokens(), all.steps(), all.drafted(), all.accepted(), counted);
    }
}
