package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostLoadTest {
    private static final long SECOND = 1_000_000_000L;

    private double used;
    private int looks;
    private final HostLoad host = new HostLoad(() -> {
        looks++;
        return used;
    });

    @Test
    void aHostHasSpareBelowSeventyPercent() {
        used = 0.69;
        assertThat(host.hasSpare(0)).isTrue();
        used = 0.7;
        assertThat(host.hasSpare(SECOND)).isFalse();
    }

    @Test
    void whatIsNotKnownIsNoSpare() {
        used = -1;
        assertThat(host.hasSpare(0)).isFalse();
        used = Double.NaN;
        assertThat(host.hasSpare(SECOND)).isFalse();
    }

    @Test
    void oneLookASecondIsEnough() {
        for (long nanos = 0; nanos < 3 * SECOND; nanos += SECOND / 100) {
            host.hasSpare(nanos);
        }
        assertThat(looks).isEqualTo(3);
    }
}
