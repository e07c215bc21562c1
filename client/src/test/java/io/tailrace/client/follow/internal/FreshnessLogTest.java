package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class FreshnessLogTest {
    private static final long MINUTE = 60_000;

    private final FreshnessLog log = new FreshnessLog(1_000);

    @Test
    void sampleIsTheTimeFromCompletionToLoad() {
        log.announced(5, new long[] {2_000}, false);
        assertThat(log.percentileMillis(50, 2_000)).isEqualTo(-1);
        log.loaded(5, 2_100);
        assertThat(log.percentileMillis(50, 2_100)).isEqualTo(100);
    }

    @Test
    void skippedVersionsCountWhenANewerOneIsLoaded() {
        log.announced(5, new long[] {2_000}, false);
        log.announced(6, new long[] {2_010, 2_020}, false);
        log.announced(7, new long[] {2_030}, false);
        assertThat(log.loaded(6, 2_100)).containsExactlyInAnyOrder(2_000, 2_010, 2_020);
        assertThat(log.samples()).isEqualTo(3);
        assertThat(log.loaded(7, 2_200)).containsExactly(2_030);
        assertThat(log.samples()).isEqualTo(4);
    }

    @Test
    void nothingFromBeforeTheStartIsASample() {
        log.announced(5, new long[] {999}, false);
        assertThat(log.loaded(5, 5_000)).isEmpty();
        assertThat(log.samples()).isZero();
    }

    @Test
    void whatAnOperatorHoldsBackIsNoSampleButIsFolded() {
        log.announced(5, new long[] {2_000}, false);
        log.holdBack();
        log.announced(6, new long[] {2_500}, true);
        assertThat(log.loaded(6, 9_000)).containsExactlyInAnyOrder(2_000, 2_500);
        assertThat(log.samples()).isZero();
    }

    @Test
    void loadOfAnOlderVersionGivesNoSamplesTwice() {
        log.announced(5, new long[] {2_000}, false);
        log.loaded(5, 2_100);
        log.loaded(4, 2_200);
        log.loaded(5, 2_300);
        assertThat(log.samples()).isEqualTo(1);
    }

    @Test
    void clocksThatDisagreeGiveZeroNotLess() {
        log.announced(5, new long[] {2_000}, false);
        log.loaded(5, 1_900);
        assertThat(log.percentileMillis(99, 1_900)).isZero();
    }

    @Test
    void waitingTimesAreBounded() {
        for (int version = 1; version <= 2 * FreshnessLog.WAITING_TIMES_MAX / 4_096; version++) {
            long[] times = new long[4_096];
            Arrays.fill(times, 2_000);
            log.announced(version, times, false);
        }
        assertThat(log.loaded(Long.MAX_VALUE, 3_000)).hasSize(FreshnessLog.WAITING_TIMES_MAX);
        assertThat(log.givenUp()).isEqualTo(FreshnessLog.WAITING_TIMES_MAX);
    }

    /** What was slow an hour ago is over, and what is slow now is not hidden by all that was quick before. */
    @Test
    void percentilesAreOfTheLastMinutes() {
        long now = 10_000;
        for (int i = 0; i < 10_000; i++) {
            log.heard(now - 100, now);
        }
        now += 3_600_000;
        for (int i = 0; i < 10; i++) {
            log.heard(now - 5_000, now);
        }
        assertThat(log.heardPercentileMillis(50, now)).isBetween(4_900L, 5_100L);
        now += 700_000; // the window before still counts
        log.heard(now - 10, now);
        assertThat(log.heardPercentileMillis(50, now)).isBetween(4_900L, 5_100L);
        now += 700_000;
        log.heard(now - 10, now);
        assertThat(log.heardPercentileMillis(99, now)).isBetween(9L, 11L);
        assertThat(log.heardSamples()).isEqualTo(10_012);
    }

    /** An alarm on them would never be over. */
    @Test
    void whereNothingHappensAnyMoreThereIsNoPercentile() {
        log.announced(5, new long[] {2_000}, false);
        log.loaded(5, 20_000);
        log.heard(2_000, 20_000);
        assertThat(log.percentileMillis(99, 20_000 + 9 * MINUTE)).isBetween(17_900L, 18_100L);
        assertThat(log.heardPercentileMillis(99, 20_000 + 9 * MINUTE)).isBetween(17_900L, 18_100L);
        assertThat(log.percentileMillis(99, 20_000 + 20 * MINUTE)).isEqualTo(-1);
        assertThat(log.heardPercentileMillis(99, 20_000 + 20 * MINUTE)).isEqualTo(-1);
        assertThat(log.samples()).isEqualTo(1);
        assertThat(log.copy().getMaxValue()).isBetween(17_900L, 18_100L);
    }

    @RepeatedTest(50)
    void percentilesAreOfTenToTwentyMinutes(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        TreeMap<Long, Long> samples = new TreeMap<>();
        long now = 1_000;
        for (int i = 0; i < 300; i++) {
            now += random.nextInt(5) == 0 ? random.nextLong(30 * MINUTE) : random.nextLong(MINUTE) + 1;
            if (random.nextInt(3) == 0) {
                long millis = random.nextInt(30_000);
                log.heard(now - millis, now);
                samples.put(now, millis);
            }
            long largest = log.heardPercentileMillis(100, now);
            // The longest bucket of 2 digits is 1 % wide.
            assertThat(largest)
                    .as("seed %s, step %s", repetition.getCurrentRepetition(), i)
                    .isBetween(largest(samples, now - 10 * MINUTE), largest(samples, now - 20 * MINUTE) * 102 / 100);
        }
    }

    /** -1: there is none since then. */
    private static long largest(NavigableMap<Long, Long> samples, long since) {
        return samples.tailMap(since, false).values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(-1);
    }
}
