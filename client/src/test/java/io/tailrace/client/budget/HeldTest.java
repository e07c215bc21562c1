package io.tailrace.client.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class HeldTest {
    private static final long SEED = 20_261_122L;

    @Test
    void whatNobodyHasSeenIsBelieved() {
        Held held = new Held();
        for (double claimed : new double[] {0, 1e-9, 0.01, 0.3, 0.5, 0.999, 1}) {
            assertThat(held.probability(claimed)).isEqualTo(claimed);
        }
    }

    /** Likely ones hold, unlikely ones promise three times too much: one factor for all could not say both. */
    @Test
    void eachClassIsSetRightByItself() {
        Held held = new Held();
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            double claimed = random.nextDouble();
            double truth = claimed > 0.7 ? claimed : claimed / 3;
            held.add(claimed, random.nextDouble() < truth);
        }
        assertThat(held.probability(0.9)).as("seed %d", SEED).isCloseTo(0.9, within(0.06));
        assertThat(held.probability(0.4)).as("seed %d", SEED).isCloseTo(0.4 / 3, within(0.05));
        assertThat(held.probability(0.15)).as("seed %d", SEED).isCloseTo(0.05, within(0.03));
    }

    @Test
    void whatHeldOnceIsForgottenWhenItHoldsNoMore() {
        Held held = new Held();
        for (int i = 0; i < 5_000; i++) {
            held.add(0.5, i % 2 == 0);
        }
        for (int i = 0; i < 5_000; i++) {
            held.add(0.5, false);
        }
        assertThat(held.probability(0.5)).isLessThan(0.05);
    }
}
