package io.tailrace.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class CheckpointRhythmTest {
    private static final long START = 1_700_000_000_000L;
    /** The clock that triggers is an hour ahead. */
    private static final long OTHER_CLOCK = 3_600_000;

    private final CheckpointRhythm rhythm = new CheckpointRhythm();

    private void passed(long... afterStart) {
        for (long at : afterStart) {
            rhythm.passed(START + at, START + at + OTHER_CLOCK);
        }
    }

    @Test
    void theNextIsAnIntervalAfterTheLast() {
        passed(0, 1_000, 2_010, 3_000);
        assertThat(rhythm.next(START + 3_100, START + 3_100)).hasValue(START + 4_000);
        assertThat(rhythm.next(START + 3_100, START + 4_000)).hasValue(START + 4_000);
        assertThat(rhythm.next(START + 3_100, START + 4_001)).hasValue(START + 5_000);
        assertThat(rhythm.next(START + 3_100, START + 5_500)).hasValue(START + 6_000);
    }

    /** Tasks are busy at times; checkpoints are triggered all the same. */
    @Test
    void checkpointsThatArriveLateDoNotMakeTheNextLate() {
        int[] late = {30, 190, 40, 90, 250};
        for (int i = 0; i < late.length; i++) {
            rhythm.passed(START + 1_000L * i + late[i], START + 1_000L * i);
        }
        assertThat(rhythm.next(START + 4_300, START + 4_300)).hasValue(START + 5_030);
    }

    @Test
    void aSavepointInBetweenDoesNotChangeThePace() {
        passed(0, 1_000, 2_000, 2_300, 3_000, 4_000);
        assertThat(rhythm.next(START + 4_100, START + 4_100)).hasValue(START + 5_000);
    }

    @Test
    void nothingIsForetoldWhereNothingIsKnown() {
        assertThat(rhythm.next(START, START + 7)).isEmpty();
        passed(0);
        assertThat(rhythm.next(START + 1, START + 7)).isEmpty();
    }

    @Test
    void oneThatIsLateDoesNotChangeWhenTheOthersAreExpected() {
        passed(0, 1_000);
        assertThat(rhythm.next(START + 2_100, START + 2_100)).hasValue(START + 3_000);
        assertThat(rhythm.next(START + 7_900, START + 7_900)).hasValue(START + 8_000);
    }

    @Test
    void afterAClockWasSetBackNothingIsForetold() {
        passed(0, 1_000);
        assertThat(rhythm.next(START - 60_000, START - 59_000)).isEmpty();
    }

    @Test
    void whatIsForetoldIsNeverTooEarlyAndNeverMoreThanAnIntervalLate() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 10_000; round++) {
            CheckpointRhythm each = new CheckpointRhythm();
            long at = START;
            for (int i = random.nextInt(8); i >= 0; i--) {
                each.passed(at, at);
                at += random.nextInt(2_000);
            }
            long now = at + random.nextInt(4_000) - 1_000;
            long earliest = now + random.nextInt(5_000);
            long latest = earliest + 2_000;
            String place = "seed %d, round %d".formatted(seed, round);
            each.next(now, earliest)
                    .ifPresent(next -> assertThat(next).as(place).isBetween(earliest, latest));
        }
    }
}
