package io.tailrace.client.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What is tried, and what is paid for it. */
class TrialsTest {
    private static final double PLAIN = 1_000_000;

    /** Costs of single requests with so many draft tokens at most, each measured ten times, plain steps ever since. */
    private static StepCosts costs(int most) {
        StepCosts costs = new StepCosts();
        for (int i = 0; i < 10; i++) {
            for (int count = 0; count <= most; count++) {
                costs.add(1, 1 + count, (long) PLAIN);
            }
        }
        for (int i = 0; i <= Trials.STALE; i++) {
            costs.add(1, 1, (long) PLAIN);
        }
        return costs;
    }

    @Test
    void aTryThatTheEngineDidNotMakeIsNotPaidFor() {
        IntToDoubleFunction gains = count -> count == 0 ? 0 : -PLAIN / 2;
        Trials trials = new Trials(costs(0), gains);
        trials.begin(PLAIN);
        assertThat(trials.choose(1, 4, 0, 0)).isEqualTo(1);
        assertThat(trials.affords(3.9 * PLAIN)).isFalse();
        trials.notMade();
        assertThat(trials.affords(3.9 * PLAIN)).isTrue();
        trials.end();
        trials.notMade();
        assertThat(trials.affords(4.1 * PLAIN)).as("given back once").isFalse();
    }

    /** Sizes of a slow minute would stay as dear as they were then. */
    @Test
    void whileAnUnknownSizeIsTooDearTheOneMeasuredLongestAgoIsTried() {
        IntToDoubleFunction gains = count -> count <= 4 ? -PLAIN / 100 * count : -3 * PLAIN;
        Trials trials = new Trials(costs(4), gains);
        trials.putAside(PLAIN / 2, PLAIN);
        assertThat(trials.choose(1, 40, 0, 0)).isBetween(1, 4);
        trials.end();
        trials.putAside(3 * PLAIN, PLAIN);
        assertThat(trials.choose(1, 40, 0, 0)).as("once it can be paid for").isEqualTo(9);
    }
}
