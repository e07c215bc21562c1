package io.tailrace.lab.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SettlingTest {
    private static final int MAX_SECONDS = 10;

    private long second;
    private long digestedAt;

    /** Each look takes a second. */
    private final Settling settling = new Settling(
            () -> ++second >= digestedAt, Duration.ofSeconds(MAX_SECONDS), () -> TimeUnit.SECONDS.toNanos(second));

    @Test
    void whatIsDigestedInTimeIsWaitedFor() {
        digestedAt = 7;
        assertThat(settling.await()).isEqualTo(7);
        assertThat(settling.inVain()).isFalse();
    }

    @Test
    void whatIsNotDigestedInTimeIsGivenUpAndSaid() {
        digestedAt = Long.MAX_VALUE;
        assertThat(settling.await()).isEqualTo(MAX_SECONDS);
        assertThat(settling.inVain()).isTrue();
    }

    @Test
    void allWaitsOfAPointHaveOneLimit() {
        digestedAt = 7;
        settling.await();
        digestedAt = 100;
        assertThat(settling.await()).isEqualTo(MAX_SECONDS - 7);
        assertThat(settling.inVain()).isTrue();
    }

    /** What was measured in between was measured of a job that was behind. */
    @Test
    void aWaitInVainStaysOneThoughTheNextLookFindsAllDigested() {
        digestedAt = 11;
        settling.await();
        assertThat(settling.await()).isEqualTo(1);
        assertThat(second).isEqualTo(11);
        assertThat(settling.inVain()).isTrue();
    }
}
