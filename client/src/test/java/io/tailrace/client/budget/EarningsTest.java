package io.tailrace.client.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EarningsTest {
    private static final double PLAIN = 1_000;

    private final Earnings earnings = new Earnings();

    private void settle(int steps, double usual, double took, double plain) {
        for (int step = 0; step < steps; step++) {
            earnings.settle(usual, took, plain, 0);
        }
    }

    @Test
    void muchIsRiskedAtFirstAndLittleWhereNothingWasEarned() {
        assertThat(earnings.share()).isEqualTo(Earnings.SHARE_MAX);
        settle(1, PLAIN, PLAIN, 0);
        assertThat(earnings.share()).isCloseTo(Earnings.SHARE_MAX, within(0.0001));
        settle(8 * Earnings.STEPS, PLAIN, PLAIN, 0);
        assertThat(earnings.share()).isEqualTo(Earnings.SHARE_MIN);
    }

    @Test
    void whatDraftsBeginToEarnIsRiskedAgain() {
        settle(8 * Earnings.STEPS, PLAIN, PLAIN, 0);
        settle(Earnings.STEPS / 4, 1.2 * PLAIN, 1.2 * PLAIN, 2 * PLAIN);
        assertThat(earnings.share()).isEqualTo(Earnings.SHARE_MAX);
    }

    @Test
    void draftingThatIsNeverVerifiedIsLost() {
        for (int step = 0; step < 100; step++) {
            earnings.settle(PLAIN, PLAIN, 0, PLAIN);
        }
        assertThat(earnings.share()).isEqualTo(Earnings.SHARE_MIN);
    }

    @Test
    void aPauseCountsAsHalfAsLongAgain() {
        assertThat(earnings.settle(PLAIN, 50 * PLAIN, PLAIN, 0)).isCloseTo(1.5 * PLAIN, within(1e-6));
        assertThat(earnings.settle(PLAIN, 1.1 * PLAIN, PLAIN, 0)).isEqualTo(1.1 * PLAIN);
    }
}
