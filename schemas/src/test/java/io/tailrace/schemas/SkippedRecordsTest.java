package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SkippedRecordsTest {
    private static final long START = 5_000;

    private final SkippedRecords skipped = new SkippedRecords();

    @Test
    void theFirstIsToldAtOnceAndTheOthersTogetherAMinuteLater() {
        assertThat(skipped.add(START)).isEqualTo(1);
        for (int i = 0; i < 10; i++) {
            assertThat(skipped.add(START + i)).isZero();
        }
        assertThat(skipped.add(START + SkippedRecords.BETWEEN_MILLIS)).isEqualTo(11);
        assertThat(skipped.total()).isEqualTo(12);
    }

    @Test
    void aClockThatWasPutBackSilencesNothing() {
        skipped.add(START);
        assertThat(skipped.add(START - 1)).isEqualTo(1);
    }
}
