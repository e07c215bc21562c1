package io.tailrace.lab.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnnouncedTimesTest {
    private static final Instant BEGAN = Instant.parse("2026-01-01T00:00:00Z");

    private final AnnouncedTimes times = new AnnouncedTimes();

    @Test
    void atFirstEverythingCounts() {
        times.add(List.of(BEGAN, BEGAN.plusMillis(40)), BEGAN.plusMillis(100));
        assertThat(times.millis().getTotalCount()).isEqualTo(2);
        assertThat(times.millis().getMaxValue()).isEqualTo(100);
    }

    /** What filled lanes waits for minutes; it says nothing of those that come once they are full. */
    @Test
    void whatWasCompletedEarlierDoesNotCountHoweverLateItIsAnnounced() {
        times.add(List.of(BEGAN.minusSeconds(90)), BEGAN.minusSeconds(1));
        times.from(BEGAN);
        assertThat(times.millis().getTotalCount()).isZero();
        times.add(List.of(BEGAN.minusMillis(1), BEGAN, BEGAN.plusMillis(10)), BEGAN.plusMillis(60));
        assertThat(times.millis().getTotalCount()).isEqualTo(2);
        assertThat(times.millis().getMaxValue()).isEqualTo(60);
    }

    @Test
    void aClockThatIsBehindGivesNoTimeBelowZero() {
        times.add(List.of(BEGAN.plusMillis(5)), BEGAN);
        assertThat(times.millis().getMaxValue()).isZero();
    }
}
