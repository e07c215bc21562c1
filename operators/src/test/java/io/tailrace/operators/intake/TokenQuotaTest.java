package io.tailrace.operators.intake;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TokenQuotaTest {
    @Test
    void aMinutesWorthIsThereAtOnceAndRefillsEvenly() {
        TokenQuota quota = new TokenQuota(600);
        assertThat(quota.take(600, 0)).isTrue();
        assertThat(quota.take(1, 0)).isFalse();
        assertThat(quota.take(10, 1000)).isTrue();
        assertThat(quota.take(1, 1000)).isFalse();
        assertThat(quota.take(600, 3_600_000)).isTrue();
        assertThat(quota.take(1, 3_600_000)).isFalse();
    }

    @Test
    void aClockThatGoesBackGrantsNothing() {
        TokenQuota quota = new TokenQuota(60);
        assertThat(quota.take(60, 10_000)).isTrue();
        assertThat(quota.take(1, 5_000)).isFalse();
        assertThat(quota.take(1, 10_000)).isFalse();
    }

    @Test
    void aClockThatWasADayAheadDoesNotStopItForADay() {
        TokenQuota quota = new TokenQuota(60);
        long day = 24 * TokenQuota.CLOCK_BACK_MILLIS;
        assertThat(quota.take(60, day)).isTrue();
        assertThat(quota.take(1, 0)).isFalse();
        assertThat(quota.take(1, 1_000)).isTrue();
        assertThat(quota.take(1, 1_000)).isFalse();
    }

    @Test
    void halfOfItIsGivenAway() {
        TokenQuota quota = new TokenQuota(60);
        assertThat(quota.takeHalf(0)).isEqualTo(30);
        assertThat(quota.takeHalf(0)).isEqualTo(15);
        assertThat(quota.take(15, 0)).isTrue();
        assertThat(quota.take(1, 0)).isFalse();
    }

    @Test
    void zeroMeansNoLimit() {
        TokenQuota quota = new TokenQuota(0);
        for (int i = 0; i < 1000; i++) {
            assertThat(quota.take(Integer.MAX_VALUE, 0)).isTrue();
        }
    }
}
