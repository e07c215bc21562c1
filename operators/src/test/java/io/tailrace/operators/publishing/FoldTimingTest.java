package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.CheckpointRhythm;
import org.junit.jupiter.api.Test;

final class FoldTimingTest {
    private static final long START = 1_700_000_000_000L;

    private final CheckpointRhythm rhythm = new CheckpointRhythm();
    private final FoldTiming timing = new FoldTiming(rhythm, 1_000);

    private void everySecond(int checkpoints) {
        for (int i = 0; i < checkpoints; i++) {
            rhythm.passed(START + 1_000L * i, 1_000L * i);
        }
    }

    /** The first moment at which the fold begins, in steps of 10 ms. */
    private long begins(long from, long announceableAt) {
        long now = from;
        while (!timing.isTime(now, announceableAt)) {
            now += 10;
        }
        return now - START;
    }

    @Test
    void aFoldBeginsTwiceAsLongBeforeTheCheckpointAsFoldsTake() {
        everySecond(4);
        for (int i = 0; i < 5; i++) {
            timing.took(i == 2 ? 3_000 : 60);
        }
        assertThat(begins(START + 3_200, START + 3_100)).isEqualTo(3_840);
    }

    @Test
    void whatCannotBeAnnouncedInTimeWaitsForTheNextCheckpoint() {
        everySecond(4);
        assertThat(begins(START + 3_200, START + 3_970)).isEqualTo(4_960);
    }

    /** A machine slept for ten hours after its first checkpoint: nobody waits for ten more. */
    @Test
    void whatWasForetoldAcrossASleepHoldsNothingBackOnceCheckpointsPassAgain() {
        long tenHours = 36_000_000;
        rhythm.passed(START, 0);
        rhythm.passed(START + tenHours, tenHours);
        assertThat(timing.isTime(START + tenHours + 10, START)).isFalse();
        rhythm.passed(START + tenHours + 1_000, tenHours + 1_000);
        rhythm.passed(START + tenHours + 2_000, tenHours + 2_000);
        assertThat(begins(START + tenHours + 2_010, START)).isLessThan(tenHours + 3_000);
    }

    @Test
    void withoutARhythmItBeginsSoThatItsAnnouncementIsAllowed() {
        timing.took(60);
        assertThat(begins(START, START + 500)).isEqualTo(380);
    }
}
