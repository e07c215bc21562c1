package io.tailrace.operators.learning;

import io.tailrace.suffix.learn.PolicyTrial;
import java.util.Optional;

/**
 * The one trial that a lane may have on, of a policy or of a retention: replicas score the candidate and what is live on the same
 * generations, which neither holds nor has learned from, and a sequential test decides. Works over a {@link LearningState}.
 */
final class LaneTrial {
    /** A trial that does not go on for so long is told again: evaluators may have missed it across a restore. */
    private static final long TOLD_AGAIN_MILLIS = 60_000;

    private final LearningState state;
    private final PolicyAnchor anchor;

    LaneTrial(LearningState state) {
        this.state = state;
        this.anchor = new PolicyAnchor(state);
    }

    boolean isOn() {
        return number() > 0;
    }

    /** 0: none is on. */
    long number() {
        if (state.candidate != null) {
            return state.candidate.number();
        }
        return state.retention == null ? 0 : state.retention.number();
    }

    void begin() {
        state.trial = new PolicyTrial.State();
        anchor.begin();
        state.toldAt = 0;
        state.toldInVain = 0;
    }

    /** Takes in what a replica has scored; the verdict if there is one. */
    Optional<PolicyTrial.Verdict> onSteps(LearningReport report) {
        state.trialReported = Math.max(state.trialReported, report.trial());
        if (!isOn() || report.trial() != number()) {
            return Optional.empty();
        }
        boolean anchored = state.candidate != null && anchor.policy() != null;
        int length = Math.min(report.liveSteps().length, report.candidateSteps().length);
        length = anchored ? Math.min(length, report.anchorSteps().length) : length;
        PolicyTrial.Verdict verdict = PolicyTrial.Verdict.UNDECIDED;
        for (int i = 0; i < length && verdict == PolicyTrial.Verdict.UNDECIDED; i++) {
            int live = report.liveSteps()[i];
            verdict = verdict(live, report.candidateSteps()[i], anchored ? report.anchorSteps()[i] : live);
        }
        return verdict == PolicyTrial.Verdict.UNDECIDED ? Optional.empty() : Optional.of(verdict);
    }

    /** A policy must hold beside the live one and beside the best that was shown. */
    private PolicyTrial.Verdict verdict(int live, int candidate, int best) {
        PolicyTrial.Verdict beside = new PolicyTrial(state.trial).add(live, candidate);
        if (state.candidate == null) {
            return beside;
        }
        PolicyTrial.Verdict anchored = anchor.add(live, candidate, best);
        return beside == PolicyTrial.Verdict.ADOPT || anchored == PolicyTrial.Verdict.REFUSE ? anchored : beside;
    }

    /** True if replicas that go on evaluating have scored nothing for so long that it is to be told again. */
    boolean stands(long nowMillis) {
        if (nowMillis < state.toldAt + TOLD_AGAIN_MILLIS) {
            return false;
        }
        boolean stands = state.toldAt > 0 && state.trial.generations == state.toldGenerations;
        state.toldAt = nowMillis;
        state.toldGenerations = state.trial.generations;
        state.toldInVain = stands ? state.toldInVain + 1 : 0;
        return stands;
    }

    /** True if replicas score a later trial: one of a run that the state which was restored knows nothing of. */
    boolean isOvertaken() {
        return state.trialReported > number();
    }
}
