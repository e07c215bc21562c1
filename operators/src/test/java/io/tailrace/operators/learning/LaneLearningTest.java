package io.tailrace.operators.learning;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.operators.Notice;
import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.schemas.EventKind;
import io.tailrace.suffix.draft.Mixer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LaneLearningTest {
    private static final float[] DEFAULTS = Mixer.defaults().weights();

    private final LearningState state = new LearningState();
    private final LaneLearning learning = new LaneLearning(state, new LearningOptions(1_000, 100, 100));

    private static LearningReport report(int replica, float shift, long evidence, long trial, int live, int candidate) {
        float[] weights = DEFAULTS.clone();
        for (int i = 0; i < weights.length; i++) {
            weights[i] += shift;
        }
        int[] liveSteps = new int[trial == 0 ? 0 : 400];
        int[] candidateSteps = new int[liveSteps.length];
        Arrays.fill(liveSteps, live);
        Arrays.fill(candidateSteps, candidate);
        ReplayTotals totals = new ReplayTotals(10, 300, 100, 500, 200);
        return new LearningReport(
                LANE,
                replica,
                weights,
                evidence,
                5_000 + replica,
                totals,
                Map.of("budget-8", totals),
                trial,
                liveSteps,
                candidateSteps);
    }

    private LanePolicy propose() {
        learning.onReport(report(0, 1, 300, 0, 0, 0));
        learning.onReport(report(1, 2, 100, 0, 0, 0));
        Optional<Notice> notice = learning.propose(LanePolicy.defaults(), 7, 10_000);
        assertThat(notice).isPresent();
        assertThat(notice.get().kind()).isEqualTo(EventKind.POLICY_PROPOSED);
        assertThat(notice.get().policy().getWeights()).hasSize(DEFAULTS.length);
        return state.candidate;
    }

    @Test
    void theCandidateIsTheReplicasMeanByEvidenceWithTheDefaultsAmongThem() {
        LanePolicy candidate = propose();
        float expected = DEFAULTS[3] + (0 * 100 + 1 * 300 + 2 * 100) / 500f;
        assertThat(candidate.weights()[3]).isCloseTo(expected, within(1e-5f));
        assertThat(candidate.number()).isEqualTo(7);
        assertThat(candidate.evidence()).isEqualTo(400);
        assertThat(candidate.learnedAt()).isEqualTo(5_001);
    }

    @Test
    void noSecondCandidateWhileOneIsJudgedNorWithoutNewEvidence() {
        propose();
        learning.onReport(report(0, 3, 9_000, 0, 0, 0));
        assertThat(learning.propose(LanePolicy.defaults(), 8, 100_000)).isEmpty();
        learning.dropCandidate();
        assertThat(learning.propose(LanePolicy.defaults(), 8, 100_000)).isPresent();
        learning.dropCandidate();
        assertThat(learning.propose(LanePolicy.defaults(), 9, 200_000)).isEmpty();
    }

    @Test
    void aTrialThatDoesNotGoOnIsToldAgainUnderItsNumber() {
        propose();
        assertThat(learning.propose(LanePolicy.defaults(), 8, 100_000)).isEmpty();
        assertThat(learning.propose(LanePolicy.defaults(), 8, 130_000)).isEmpty();
        Notice again = learning.propose(LanePolicy.defaults(), 8, 170_000).orElseThrow();
        assertThat(again.numbers()).containsEntry("trial", 7L);
        assertThat(state.candidate.number()).isEqualTo(7);
    }

    @Test
    void whatNeedsFewerStepsIsAdopted() {
        LanePolicy candidate = propose();
        LaneLearning.Judgement judgement =
                learning.onReport(report(0, 1, 400, 7, 100, 90)).orElseThrow();
        assertThat(judgement.adopted()).isEqualTo(candidate);
        assertThat(judgement.notice().kind()).isEqualTo(EventKind.POLICY_ADOPTED);
        assertThat(state.candidate).isNull();
    }

    @Test
    void whatNeedsMoreStepsIsRefusedWithAnEvent() {
        propose();
        LaneLearning.Judgement judgement =
                learning.onReport(report(0, 1, 400, 7, 100, 130)).orElseThrow();
        assertThat(judgement.adopted()).isNull();
        assertThat(judgement.notice().kind()).isEqualTo(EventKind.POLICY_REFUSED);
        assertThat(judgement.notice().message()).contains("worse than the live one");
    }

    @Test
    void stepsOfAnotherTrialDecideNothing() {
        propose();
        assertThat(learning.onReport(report(0, 1, 400, 6, 100, 200))).isEmpty();
        assertThat(state.trial.generations).isZero();
    }

    @Test
    void statisticsAddTheReplicasUp() {
        assertThat(learning.statistics()).isNull();
        learning.onReport(report(0, 1, 300, 0, 0, 0));
        learning.onReport(report(1, 1, 300, 0, 0, 0));
        assertThat(learning.statistics().getGenerations()).isEqualTo(20);
        assertThat(learning.statistics().getCounterfactuals()).singleElement().satisfies(counted -> {
            assertThat(counted.getChoice()).isEqualTo("budget-8");
            assertThat(counted.getSteps()).isEqualTo(200);
        });
    }
}
