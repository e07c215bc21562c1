package io.tailrace.operators.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class EvaluationAllowanceTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void evaluationTakesNoMoreThanItsShareHoweverMuchComes() {
        EvaluationQueue.Allowance allowance = new EvaluationQueue.Allowance(0.25, 0);
        long evaluation = 10_000_000;
        long now = 0;
        long spent = 0;
        while (now < 100 * SECOND) {
            if (allowance.allows(now)) {
                allowance.spend(evaluation);
                spent += evaluation;
                now += evaluation;
            }
            now += 1_000_000;
        }
        assertThat(spent).isBetween(24 * SECOND, 27 * SECOND);
    }

    @Test
    void withoutLoadEverythingIsEvaluated() {
        EvaluationQueue.Allowance allowance = new EvaluationQueue.Allowance(0.5, 0);
        for (long now = 0; now < 100 * SECOND; now += 100_000_000) {
            assertThat(allowance.allows(now)).isTrue();
            allowance.spend(20_000_000);
        }
    }
}
