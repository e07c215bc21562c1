package io.tailrace.operators.learning;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Notice;
import io.tailrace.suffix.learn.PolicyTrial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Chains of policies, one proposed after the other, in a world where it is known how many steps each needs: so many times as many as the
 * first one. Generations differ in length, and a policy's luck with each.
 */
final class PolicyChainTest {
    private static final long SEED = 20_261_123L;
    private static final int GENERATIONS_A_REPORT = 50;
    private static final double LUCK = 0.03;

    private final LaneLearning learning = new LaneLearning(LaneLearning.State.BEGUN, LaneLearning.Options.defaults());
    private final Map<Long, Double> truth = new HashMap<>(Map.of(0L, 1.0));
    private final Random random = new Random(SEED);
    private LanePolicy live = LanePolicy.defaults();
    private double best = 1;
    private int adopted;

    private double live() {
        return truth.get(live.number());
    }

    private int steps(double length, double times) {
        return (int) Math.round(length * times * (1 + LUCK * random.nextGaussian()));
    }

    /** Has a policy judged that needs so many times as many steps as the live one; true if it is adopted. */
    private boolean propose(double times) {
        LanePolicy candidate = live.withNumber(truth.size());
        truth.put(candidate.number(), live() * times);
        Notice notice = learning.judge(candidate, live.number(), "a chain");
        long anchor = notice.anchor() == null ? live.number() : notice.anchor().getNumber();
        Optional<LaneLearning.Judgement> judgement = Optional.empty();
        while (judgement.isEmpty()) {
            judgement = learning.onReport(live, report(candidate.number(), anchor));
        }
        if (judgement.get().adopted()) {
            live = candidate;
            best = Math.min(best, live());
            adopted++;
        }
        return judgement.get().adopted();
    }

    private LearningReport report(long candidate, long anchor) {
        int[] liveSteps = new int[GENERATIONS_A_REPORT];
        int[] candidateSteps = new int[GENERATIONS_A_REPORT];
        int[] anchorSteps = new int[GENERATIONS_A_REPORT];
        for (int i = 0; i < GENERATIONS_A_REPORT; i++) {
            double length = 50 + random.nextInt(150);
            liveSteps[i] = steps(length, live());
            candidateSteps[i] = steps(length, truth.get(candidate));
            anchorSteps[i] = anchor == live.number() ? liveSteps[i] : steps(length, truth.get(anchor));
        }
        return new LearningReport(
                LANE,
                0,
                new float[0],
                1,
                1,
                LearningReport.Totals.ZERO,
                Map.of(),
                Map.of(),
                candidate,
                liveSteps,
                candidateSteps,
                anchorSteps);
    }

    private List<Double> chain(int proposals, DoubleUnaryOperator times) {
        List<Double> lived = new ArrayList<>();
        for (int i = 0; i < proposals; i++) {
            propose(times.applyAsDouble(i));
            lived.add(live());
        }
        return lived;
    }

    /** The danger, with the trial alone: each is judged against the one before it only. */
    @Test
    void besideTheLivePolicyAloneAChainOfSlightlyWorsePoliciesLosesWithoutEnd() {
        double times = 1;
        for (int i = 0; i < 40; i++) {
            PolicyTrial trial = new PolicyTrial(new PolicyTrial.State());
            PolicyTrial.Verdict verdict = PolicyTrial.Verdict.UNDECIDED;
            while (verdict == PolicyTrial.Verdict.UNDECIDED) {
                double length = 50 + random.nextInt(150);
                verdict = trial.add(steps(length, times), steps(length, times * 1.005));
            }
            times *= verdict == PolicyTrial.Verdict.ADOPT ? 1.005 : 1;
        }
        assertThat(times).as("seed %d", SEED).isGreaterThan(1.1);
    }

    @Test
    void aChainOfSlightlyWorsePoliciesIsStoppedAtTheMarginOfOne() {
        List<Double> lived = chain(40, i -> 1.005);
        assertThat(adopted).as("seed %d", SEED).isPositive();
        assertThat(lived).as("seed %d", SEED).allMatch(times -> times < 1 + PolicyTrial.MARGIN + 0.005);
        assertThat(learning.state().anchor().policy().number())
                .as("what it began with")
                .isZero();
    }

    @Test
    void whatWasGainedIsNotLostAgainStepByStep() {
        chain(8, i -> 0.95);
        assertThat(live()).as("seed %d", SEED).isLessThan(0.7);
        double gained = best;
        List<Double> lived = chain(40, i -> 1.005);
        assertThat(lived)
                .as("seed %d: a margin, and as much that was not shown", SEED)
                .allMatch(times -> times < gained * (1 + 2 * PolicyTrial.MARGIN));
    }

    @Test
    void policiesThatAreNoBetterAndNoWorseGoOnBeingAdopted() {
        chain(30, i -> i % 2 == 0 ? 1.002 : 1 / 1.002);
        assertThat(adopted).as("seed %d", SEED).isGreaterThan(20);
    }

    /** An operator knows why: with less budget, say. */
    @Test
    void whatAnOperatorPutsInPlaceIsWhatTheNextAreHeldAgainst() {
        chain(10, i -> 1.005);
        live = live.withNumber(truth.size());
        truth.put(live.number(), 1.5);
        learning.anchorAtLive();
        assertThat(propose(0.97)).as("seed %d", SEED).isTrue();
        List<Double> lived = chain(30, i -> 1.005);
        assertThat(lived).as("seed %d", SEED).allMatch(times -> times < 1.5 * 1.03);
    }

    @Test
    void aProposalNamesTheBestThatWasShownWhereThatIsNotTheLiveOne() {
        assertThat(learning.judge(live.withNumber(1), 0, "a test").anchor()).isNull();
        assertThat(propose(1.002)).isTrue();
        Notice next = learning.judge(live.withNumber(9), live.number(), "a test");
        assertThat(next.numbers()).containsEntry("livePolicy", live.number()).containsEntry("anchorPolicy", 0L);
        assertThat(next.anchor().getNumber()).isZero();
        assertThat(next.message()).contains("the best that was shown");
    }
}
