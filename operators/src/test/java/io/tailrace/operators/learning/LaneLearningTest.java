package io.tailrace.operators.learning;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.operators.Notice;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.EventKind;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.PolicyTrial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LaneLearningTest {
    private static final float[] DEFAULTS = Mixer.defaults().weights();
    private static final LanePolicy LIVE = LanePolicy.defaults();

    private final LaneLearning learning =
            new LaneLearning(LaneLearning.State.BEGUN, new LaneLearning.Options(1_000, 100, 100, 2));

    private static LearningReport report(int replica, float shift, long evidence, long trial, int live, int candidate) {
        float[] weights = DEFAULTS.clone();
        for (int i = 0; i < weights.length; i++) {
            weights[i] += shift;
        }
        int[] liveSteps = new int[trial == 0 ? 0 : 400];
        int[] candidateSteps = new int[liveSteps.length];
        Arrays.fill(liveSteps, live);
        Arrays.fill(candidateSteps, candidate);
        LearningReport.Totals totals = new LearningReport.Totals(10, 300, 100, 500, 200);
        return new LearningReport(
                LANE,
                replica,
                weights,
                evidence,
                5_000 + replica,
                totals,
                Map.of("budget-8", new LearningReport.Totals(4, 120, 50, 150, 70)),
                Map.of("budget-8", new LearningReport.Totals(4, 120, 40, 200, 80)),
                trial,
                liveSteps,
                candidateSteps,
                new int[0]);
    }

    private LanePolicy propose() {
        learning.onReport(LIVE, report(0, 1, 300, 0, 0, 0));
        learning.onReport(LIVE, report(1, 2, 100, 0, 0, 0));
        Optional<Notice> notice = learning.propose(LanePolicy.defaults(), 7, 10_000);
        assertThat(notice).isPresent();
        assertThat(notice.get().kind()).isEqualTo(EventKind.POLICY_PROPOSED);
        assertThat(notice.get().policy().getWeights()).hasSize(DEFAULTS.length);
        assertThat(notice.get().message()).contains("budget 16, floor 0.003, 400 labelled places");
        return learning.state().candidate();
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

    /** The clock was a day ahead when the last candidate was proposed, a change of retention refused, and a trial told. */
    @Test
    void aClockThatWentBackHoldsNothingUp() {
        long day = 86_400_000;
        learning.onReport(LIVE, report(0, 1, 300, 0, 0, 0));
        assertThat(learning.propose(LIVE, 7, day)).isPresent();
        LaneLearning.State state = learning.state();
        LaneLearning goesOn = new LaneLearning(
                new LaneLearning.State(
                        state.replicas(),
                        null,
                        state.retention(),
                        state.trial(),
                        state.anchor(),
                        state.proposedAt(),
                        state.proposedEvidence(),
                        null,
                        List.of()),
                new LaneLearning.Options(1_000, 100, 100, 2));
        goesOn.onReport(LIVE, report(0, 1, 900, 0, 0, 0));
        assertThat(goesOn.propose(LIVE, 8, 10_000)).isEmpty();
        assertThat(goesOn.propose(LIVE, 8, 11_000)).isPresent();

        RetentionTrial retention = new RetentionTrial(RetentionTrial.State.NONE);
        retention.pause(day);
        assertThat(retention.isOpen(10_000)).isFalse();
        assertThat(retention.isOpen(10_000 + 600_000)).isTrue();

        LaneTrial trial = new LaneTrial(new LaneTrial.State(new PolicyTrial.State(), day, 0, 0));
        assertThat(trial.stands(10_000)).isFalse();
        assertThat(trial.stands(10_000 + LaneTrial.TOLD_AGAIN_MILLIS)).isTrue();
    }

    /** A replica whose samples all wait for a snapshot, beside one that has learned; a checkpoint may hold such a report. */
    @Test
    void aReplicaThatHasLearnedNothingHasNoSay() {
        LearningReport nothing = new LearningReport(
                LANE, 1, null, 0, 0, LearningReport.Totals.ZERO, Map.of(), 0, new int[0], new int[0]);
        learning.onReport(LIVE, nothing);
        learning.onReport(LIVE, report(0, 1, 400, 0, 0, 0));
        assertThat(learning.propose(LIVE, 7, 10_000)).isPresent();
        float expected = DEFAULTS[3] + 400 / 500f;
        assertThat(learning.state().candidate().weights()[3]).isCloseTo(expected, within(1e-5f));
    }

    @Test
    void replicasOfATimeWhenThereWereMoreTeachNothingAnyMore() {
        learning.onReport(LIVE, report(2, 900, 100_000, 0, 0, 0));
        LanePolicy candidate = propose();
        assertThat(candidate.weights()[3]).isLessThan(DEFAULTS[3] + 2);
        assertThat(candidate.evidence()).isEqualTo(400);
        assertThat(candidate.learnedAt()).isEqualTo(5_001);
        assertThat(learning.statistics().getGenerations())
                .as("what was counted stays")
                .isEqualTo(30);
    }

    @Test
    void noSecondCandidateWhileOneIsJudgedNorWithoutNewEvidence() {
        propose();
        learning.onReport(LIVE, report(0, 3, 9_000, 0, 0, 0));
        assertThat(learning.propose(LanePolicy.defaults(), 8, 100_000)).isEmpty();
        Notice dropped = learning.dropCandidate("a test").orElseThrow();
        assertThat(dropped.kind()).isEqualTo(EventKind.POLICY_REFUSED);
        assertThat(dropped.numbers()).containsExactly(Map.entry("trial", 7L));
        assertThat(learning.propose(LanePolicy.defaults(), 8, 100_000)).isPresent();
        assertThat(learning.dropCandidate("a test")).isPresent();
        assertThat(learning.dropCandidate("a test")).isEmpty();
        assertThat(learning.propose(LanePolicy.defaults(), 9, 200_000)).isEmpty();
    }

    @Test
    void aTrialThatDoesNotGoOnIsToldAgainUnderItsNumber() {
        propose();
        assertThat(learning.propose(LanePolicy.defaults(), 8, 100_000)).isEmpty();
        assertThat(learning.propose(LanePolicy.defaults(), 8, 130_000)).isEmpty();
        Notice again = learning.propose(LanePolicy.defaults(), 8, 170_000).orElseThrow();
        assertThat(again.numbers()).containsEntry("trial", 7L);
        assertThat(learning.state().candidate().number()).isEqualTo(7);
    }

    /** Replicas may still have a version with another policy mapped. */
    @Test
    void aProposalNamesThePolicyThatIsLive() {
        learning.onReport(LIVE, report(0, 1, 300, 0, 0, 0));
        LanePolicy live = LanePolicy.defaults().withNumber(5);
        assertThat(learning.propose(live, 7, 10_000).orElseThrow().numbers()).containsEntry("livePolicy", 5L);
        learning.propose(live, 8, 100_000);
        assertThat(learning.propose(live, 8, 170_000).orElseThrow().numbers()).containsEntry("livePolicy", 5L);
        learning.dropCandidate("a test");
        learning.retention().await(retention());
        assertThat(learning.propose(live, 9, 180_000).orElseThrow().numbers()).containsEntry("livePolicy", 5L);
    }

    @Test
    void whatNeedsFewerStepsIsAdopted() {
        LanePolicy candidate = propose();
        LaneLearning.Judgement judgement =
                learning.onReport(LIVE, report(0, 1, 400, 7, 100, 90)).orElseThrow();
        assertThat(judgement.adopted()).isTrue();
        assertThat(judgement.policy()).isEqualTo(candidate);
        assertThat(judgement.notice().kind()).isEqualTo(EventKind.POLICY_ADOPTED);
        assertThat(learning.state().candidate()).isNull();
    }

    @Test
    void whatNeedsMoreStepsIsRefusedWithAnEvent() {
        propose();
        LaneLearning.Judgement judgement =
                learning.onReport(LIVE, report(0, 1, 400, 7, 100, 130)).orElseThrow();
        assertThat(judgement.adopted()).isFalse();
        assertThat(judgement.notice().kind()).isEqualTo(EventKind.POLICY_REFUSED);
        assertThat(judgement.notice().message()).contains("worse than the live one");
    }

    @Test
    void stepsOfAnotherTrialDecideNothing() {
        propose();
        assertThat(learning.onReport(LIVE, report(0, 1, 400, 6, 100, 200))).isEmpty();
        assertThat(learning.state().trial().steps().generations).isZero();
    }

    @Test
    void statisticsAddTheReplicasUp() {
        assertThat(learning.statistics()).isNull();
        learning.onReport(LIVE, report(0, 1, 300, 0, 0, 0));
        learning.onReport(LIVE, report(1, 1, 300, 0, 0, 0));
        assertThat(learning.statistics().getGenerations()).isEqualTo(20);
        assertThat(learning.statistics().getCounterfactuals()).singleElement().satisfies(counted -> {
            assertThat(counted.getChoice()).isEqualTo("budget-8");
            assertThat(counted.getSteps()).isEqualTo(100);
            assertThat(counted.getAccepted()).isEqualTo(140);
            assertThat(counted.getGenerations()).isEqualTo(8);
            assertThat(counted.getLiveSteps()).isEqualTo(80);
            assertThat(counted.getLiveAccepted()).isEqualTo(160);
        });
    }

    @Test
    void whatCannotBeComparedIsLeftOut() {
        LearningReport.Totals totals = new LearningReport.Totals(10, 300, 100, 500, 200);
        learning.onReport(
                LIVE,
                new LearningReport(
                        LANE,
                        0,
                        DEFAULTS,
                        300,
                        5_000,
                        totals,
                        Map.of("budget-8", totals),
                        Map.of(),
                        0,
                        new int[0],
                        new int[0],
                        new int[0]));
        assertThat(learning.statistics().getCounterfactuals()).isEmpty();
        learning.onReport(LIVE, report(1, 1, 300, 0, 0, 0));
        assertThat(learning.statistics().getCounterfactuals())
                .singleElement()
                .satisfies(counted -> assertThat(counted.getSteps()).isEqualTo(50));
    }

    private static RetentionTrial.Candidate retention() {
        StoredSegment before = new StoredSegment("a", "a-sidecar", "aa", 10, 3, 30, 30, 5_000, 0, 0);
        StoredSegment after = new StoredSegment("b", "b-sidecar", "bb", 8, 2, 20, 20, 5_000, 0, 0);
        return new RetentionTrial.Candidate(
                0, 0, RetentionTrial.Candidate.Reason.HALF_LIFE, before, after, 10, 0, 9_000);
    }

    @Test
    void aChangeOfRetentionWaitsUntilThePolicyBeforeItIsJudgedAndThenGoesFirst() {
        propose();
        learning.retention().await(retention());
        assertThat(learning.propose(LanePolicy.defaults(), 8, 20_000)).isEmpty();
        assertThat(learning.onReport(LIVE, report(0, 1, 90_000, 7, 100, 130))).isPresent();
        Notice notice = learning.propose(LanePolicy.defaults(), 8, 21_000).orElseThrow();
        assertThat(notice.kind()).isEqualTo(EventKind.RETENTION_PROPOSED);
        assertThat(notice.numbers()).containsEntry("trial", 8L).containsEntry("tokens", 10L);
        assertThat(notice.retention().getReplaced()).containsExactly("aa");
        assertThat(notice.retention().getSegments())
                .singleElement()
                .satisfies(segment -> assertThat(segment.getSha256()).isEqualTo("bb"));
        assertThat(learning.trialNumber()).isEqualTo(8);
    }

    @Test
    void aChangeOfRetentionIsAdoptedIfNoWorseAndRefusedIfWorse() {
        learning.retention().await(retention());
        assertThat(learning.propose(LanePolicy.defaults(), 8, 20_000)).isPresent();
        LaneLearning.Judgement adopted =
                learning.onReport(LIVE, report(0, 1, 400, 8, 100, 100)).orElseThrow();
        assertThat(adopted.adopted()).isTrue();
        assertThat(adopted.policy()).isNull();
        assertThat(adopted.retention().tokens()).isEqualTo(10);
        assertThat(adopted.notice().kind()).isEqualTo(EventKind.RETENTION_ADOPTED);

        learning.retention().await(retention());
        assertThat(learning.propose(LanePolicy.defaults(), 9, 20_000)).isPresent();
        LaneLearning.Judgement refused =
                learning.onReport(LIVE, report(0, 1, 400, 9, 100, 110)).orElseThrow();
        assertThat(refused.adopted()).isFalse();
        assertThat(refused.notice().kind()).isEqualTo(EventKind.RETENTION_REFUSED);
        assertThat(refused.notice().message()).contains("10 tokens", "their half-life", "worse than the live one");
        assertThat(learning.retention().candidate()).isNull();
    }

    @Test
    void anOperatorsPolicyIsJudgedFirstAndTheRetentionAfterItUnderAnotherNumber() {
        learning.retention().await(retention());
        assertThat(learning.propose(LanePolicy.defaults(), 8, 20_000)).isPresent();
        learning.judge(LanePolicy.defaults().withNumber(9), 0, "a command");
        assertThat(learning.onReport(LIVE, report(0, 1, 400, 8, 100, 200)))
                .as("steps of the trial that gave way")
                .isEmpty();
        assertThat(learning.onReport(LIVE, report(0, 1, 400, 9, 100, 90))).isPresent();
        Notice again = learning.propose(LanePolicy.defaults(), 10, 20_000).orElseThrow();
        assertThat(again.kind()).isEqualTo(EventKind.RETENTION_PROPOSED);
        assertThat(again.numbers()).containsEntry("trial", 10L);
    }

    @Test
    void aChangeOfRetentionThatNoReplicaScoresIsToldAgainAFewTimesAndThenWithdrawn() {
        learning.retention().await(retention());
        assertThat(learning.propose(LanePolicy.defaults(), 8, 20_000)).isPresent();
        List<EventKind> told = new ArrayList<>();
        for (long now = 100_000; learning.retention().candidate() != null; now += 61_000) {
            learning.onReport(LIVE, report(0, 1, 400, 0, 0, 0));
            learning.propose(LanePolicy.defaults(), 9, now).ifPresent(notice -> told.add(notice.kind()));
            assertThat(told).hasSizeLessThan(20);
        }
        assertThat(told).hasSizeBetween(3, 10).endsWith(EventKind.RETENTION_WITHDRAWN);
        assertThat(told.subList(0, told.size() - 1)).containsOnly(EventKind.RETENTION_PROPOSED);
        assertThat(learning.trialNumber()).isZero();
    }

    /** After an older savepoint was restored, or where somebody else writes the topic, replicas may follow a trial that this state knows nothing of. */
    @Test
    void aTrialIsToldAgainUnderItsNumberWhateverReplicasScore() {
        propose();
        learning.propose(LanePolicy.defaults(), 8, 100_000);
        learning.onReport(LIVE, report(0, 1, 400, 31, 100, 100));
        learning.onReport(LIVE, report(0, 1, 400, Long.MAX_VALUE, 100, 100));
        Notice again = learning.propose(LanePolicy.defaults(), 8, 170_000).orElseThrow();
        assertThat(again.numbers()).containsEntry("trial", 7L);
        assertThat(learning.onReport(LIVE, report(0, 1, 400, 7, 100, 90))).isPresent();
    }
}
