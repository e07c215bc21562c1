package io.tailrace.worker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventSpacingTest {
    private static final long NANOS = 1_000;
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    @ParameterizedTest
    @CsvSource({"-1,0,0", "-1,1,1", "-1,1000,1", "-1,1001,2", "0,1,1", "4,1,5", "4,4999,5", "4,5001,6"})
    void aPieceHasTheFirstTimeThatHasNotPassed(long before, long elapsed, long tick) {
        assertThat(EventSpacing.tick(before, elapsed, NANOS)).isEqualTo(tick);
    }

    /** Tokens that come by steps of one or of many, each step in time: the times are the same. */
    @Test
    void timesDoNotDependOnHowManyTokensAStepHasAsLongAsEachIsInTime() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int run = 0; run < 1_000; run++) {
            long first = random.nextLong(50 * NANOS);
            long ready = first;
            long tick = -1;
            int stepTokens = 0;
            for (int token = 0; token < 50; token++) {
                tick = EventSpacing.tick(tick, ready, NANOS);
                assertThat(tick)
                        .as("seed %d, run %d, token %d", seed, run, token)
                        .isEqualTo((first + NANOS - 1) / NANOS + token);
                if (stepTokens-- == 0) {
                    stepTokens = random.nextInt(16);
                    ready = Math.min(ready + random.nextLong(NANOS + 1), (tick + 1) * NANOS);
                }
            }
        }
    }

    @Test
    void noPieceGoesOutBeforeItsTime() throws InterruptedException {
        long before = System.nanoTime();
        EventSpacing spacing = new EventSpacing(new DraftVisibility(false, 5), NEVER, () -> {});
        for (int piece = 0; piece < 10; piece++) {
            spacing.await();
        }
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(10 * 5_000_000L);
    }

    @Test
    void aPieceThatMissesItsTimeIsCountedAndTheFirstHasNoneToMiss() throws InterruptedException {
        AtomicInteger late = new AtomicInteger();
        EventSpacing spacing = new EventSpacing(new DraftVisibility(false, 1), NEVER, late::incrementAndGet);
        spin(5_000_000);
        spacing.await();
        assertThat(late).hasValue(0);
        spin(5_000_000);
        spacing.await();
        assertThat(late).hasValue(1);
    }

    @Test
    void withoutASpacingAndOnceTheEndpointEndsNothingWaits() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(0);
        for (DraftVisibility visibility : new DraftVisibility[] {
            DraftVisibility.defaults(), new DraftVisibility(false, DraftVisibility.EVENT_MILLIS_MAX)
        }) {
            EventSpacing spacing = new EventSpacing(visibility, visibility.spaced() ? ended : NEVER, () -> {});
            long before = System.nanoTime();
            for (int piece = 0; piece < 100; piece++) {
                spacing.await();
            }
            assertThat(System.nanoTime() - before).isLessThan(10_000L * 1_000_000);
        }
    }

    @Test
    void reportsAndASpacingDoNotGoTogether() {
        assertThat(DraftVisibility.defaults()).isEqualTo(new DraftVisibility(false, 0));
        assertThatThrownBy(() -> new DraftVisibility(true, 20))
                .hasMessage("reports tell what a spacing of 20 ms hides; leave one of them out");
        assertThatThrownBy(() -> new DraftVisibility(false, -1)).hasMessageContaining("must be 0 to 10000, got -1");
    }

    private static void spin(long nanos) {
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }
}
