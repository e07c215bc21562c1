package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.engine.DraftAnswer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StepRhythmTest {
    private static final long MILLI = 1_000_000;
    private static final long STEP = 10 * MILLI;

    private final StepRhythm rhythm = new StepRhythm();

    private void steps(int count, long gap) {
        steps(0, count, gap, DraftAnswer.DRAFTED);
    }

    private void steps(int from, int to, long gap, DraftAnswer what) {
        for (int step = from; step < to; step++) {
            rhythm.heard(step * gap);
            rhythm.came(what);
        }
    }

    @Test
    void nothingIsRehearsedBeforeARhythmIsKnown() {
        assertThat(rhythm.millisToRehearsal(0)).isZero();
        rhythm.heard(0);
        assertThat(rhythm.millisToRehearsal(STEP)).isZero();
    }

    @Test
    void rehearsalsComeFromTwoMillisecondsBeforeAStepOnOneMillisecondApart() {
        steps(3, STEP);
        long last = 2 * STEP;
        assertThat(rhythm.millisToRehearsal(last)).isEqualTo(8);
        assertThat(rhythm.millisToRehearsal(last + 5 * MILLI)).isEqualTo(3);
        rhythm.rehearsed();
        assertThat(rhythm.millisToRehearsal(last)).isEqualTo(9);
    }

    @Test
    void aStepThatDoesNotComeIsRehearsedForAFewTimesOnly() {
        steps(3, STEP);
        for (int rehearsal = 0; rehearsal < StepRhythm.REHEARSALS_MAX; rehearsal++) {
            assertThat(rhythm.millisToRehearsal(100 * STEP)).isOne();
            rhythm.rehearsed();
        }
        assertThat(rhythm.millisToRehearsal(100 * STEP)).isZero();
        rhythm.heard(200 * STEP);
        rhythm.came(DraftAnswer.DRAFTED);
        assertThat(rhythm.millisToRehearsal(200 * STEP)).isPositive();
    }

    @Test
    void stepsThatFollowCloselyNeedNoRehearsal() {
        steps(100, 3 * MILLI);
        assertThat(rhythm.millisToRehearsal(99 * 3 * MILLI)).isZero();
    }

    @Test
    void nothingIsRehearsedWhileNothingIsDrafted() {
        steps(0, StepRhythm.STEPS_IN_VAIN, STEP, DraftAnswer.SKIPPED);
        assertThat(rhythm.millisToRehearsal(7 * STEP)).isPositive();
        steps(8, 9, STEP, DraftAnswer.SKIPPED);
        assertThat(rhythm.millisToRehearsal(8 * STEP)).isZero();
        steps(9, 10, STEP, DraftAnswer.NOTHING);
        assertThat(rhythm.millisToRehearsal(9 * STEP)).isPositive();
        steps(10, 19, STEP, DraftAnswer.SKIPPED);
        assertThat(rhythm.millisToRehearsal(18 * STEP)).isZero();
    }

    @Test
    void aStepThatOneOfManyRequestsDraftsInCounts() {
        for (int step = 0; step < 20; step++) {
            rhythm.heard(step * STEP);
            rhythm.came(DraftAnswer.SKIPPED);
            rhythm.came(DraftAnswer.UNPAID);
            rhythm.came(DraftAnswer.SKIPPED);
        }
        assertThat(rhythm.millisToRehearsal(19 * STEP)).isPositive();
    }

    @Test
    void anEngineThatRestedIsNotTakenForASlowOne() {
        steps(100, STEP);
        long after = 99 * STEP + 3_600_000 * MILLI;
        rhythm.heard(after);
        assertThat(rhythm.millisToRehearsal(after)).isBetween(8L, 12L);
    }

    @Test
    void theWaitIsNeverBeyondTheExpectedStepNorLongerThanItsGap() {
        Random random = new Random(1);
        long at = 0;
        for (int step = 0; step < 10_000; step++) {
            at += random.nextInt(1, 50) * MILLI;
            rhythm.heard(at);
            rhythm.came(DraftAnswer.DRAFTED);
            for (int rehearsal = 0; rehearsal <= StepRhythm.REHEARSALS_MAX; rehearsal++) {
                assertThat(rhythm.millisToRehearsal(at)).isBetween(0L, 60L);
                rhythm.rehearsed();
            }
        }
    }
}
