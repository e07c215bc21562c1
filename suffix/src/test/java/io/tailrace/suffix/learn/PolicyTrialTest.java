package io.tailrace.suffix.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PolicyTrialTest {
    private static final long SEED = 20_261_123L;

    private static PolicyTrial.Verdict judge(Random random, double ratio, double noise) {
        PolicyTrial trial = new PolicyTrial(new PolicyTrial.State());
        PolicyTrial.Verdict verdict = PolicyTrial.Verdict.UNDECIDED;
        while (verdict == PolicyTrial.Verdict.UNDECIDED) {
            int live = 10 + random.nextInt(90);
            double candidate = live * ratio * Math.exp(noise * random.nextGaussian());
            verdict = trial.add(live, Math.max(1, Math.round(candidate)));
        }
        return verdict;
    }

    private static Map<PolicyTrial.Verdict, Integer> judgeMany(double ratio, double noise) {
        Random random = new Random(SEED);
        Map<PolicyTrial.Verdict, Integer> verdicts = new EnumMap<>(PolicyTrial.Verdict.class);
        for (int i = 0; i < 500; i++) {
            verdicts.merge(judge(random, ratio, noise), 1, Integer::sum);
        }
        return verdicts;
    }

    @Test
    void aWorsePolicyIsRefused() {
        assertThat(judgeMany(1.10, 0.1)).as("seed %d", SEED).containsOnlyKeys(PolicyTrial.Verdict.REFUSE);
    }

    @Test
    void aBetterPolicyIsAdopted() {
        assertThat(judgeMany(0.95, 0.1)).as("seed %d", SEED).containsOnlyKeys(PolicyTrial.Verdict.ADOPT);
    }

    @Test
    void anEqualPolicyIsAdoptedWithinTheLimit() {
        assertThat(judgeMany(1.0, 0.02).get(PolicyTrial.Verdict.ADOPT)).isGreaterThan(480);
    }

    @Test
    void atTheMarginWrongVerdictsAreAsRareAsStated() {
        int adopted = judgeMany(1 / (1 - PolicyTrial.MARGIN) + 0.002, 0.1).getOrDefault(PolicyTrial.Verdict.ADOPT, 0);
        assertThat(adopted).as("of 500, seed %d", SEED).isLessThanOrEqualTo(10);
    }

    @Test
    void generationsWithoutAStepSayNothing() {
        PolicyTrial.State state = new PolicyTrial.State();
        assertThat(new PolicyTrial(state).add(0, 0)).isEqualTo(PolicyTrial.Verdict.UNDECIDED);
        assertThat(state.generations).isZero();
    }
}
