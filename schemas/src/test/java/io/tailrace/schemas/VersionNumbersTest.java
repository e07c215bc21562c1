package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class VersionNumbersTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final long HOUR = 3_600_000;

    @Test
    void aVersionIsAtMostAnHourAheadOfTheClock() {
        for (long version : new long[] {1, NOW - 365 * 24 * HOUR, NOW, NOW + HOUR}) {
            assertThat(VersionNumbers.isPlausible(version, NOW))
                    .as("%d", version)
                    .isTrue();
            VersionNumbers.check(version, NOW);
        }
        for (long version :
                new long[] {Long.MIN_VALUE, -1, 0, NOW + HOUR + 1, NOW + 24 * HOUR, Long.MAX_VALUE - 1, Long.MAX_VALUE
                }) {
            assertThat(VersionNumbers.isPlausible(version, NOW))
                    .as("%d", version)
                    .isFalse();
            assertThatThrownBy(() -> VersionNumbers.check(version, NOW))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("compare the clocks");
        }
    }
}
