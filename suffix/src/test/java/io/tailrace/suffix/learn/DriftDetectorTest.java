package io.tailrace.suffix.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class DriftDetectorTest {
    private static final long SEED = 20_261_124L;
    private static final long RATE = 1_000_000;

    /** A kind of traffic: tokens around a place of the vocabulary, some much more often than others. */
    private static int[] generation(Random random, int place, double peaked) {
        int[] tokens = new int[20 + random.nextInt(200)];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = place + (int) (3_000 * Math.pow(random.nextDouble(), peaked));
        }
        return tokens;
    }

    private static DriftDetector.Change feed(DriftDetector detector, int[] tokens, long now) {
        return detector.onGeneration(TokenReference.sketch(tokens), now);
    }

    /** Generations until the alarm, at most {@code max}. */
    private static int untilAlarm(DriftDetector detector, Random random, int place, double peaked, int max) {
        for (int i = 1; i <= max; i++) {
            if (feed(detector, generation(random, place, peaked), i) == DriftDetector.Change.ALARM) {
                return i;
            }
        }
        return Integer.MAX_VALUE;
    }

    @Test
    void unshiftedTrafficRaisesNoAlarm() {
        Random random = new Random(SEED);
        DriftDetector.State state = new DriftDetector.State();
        DriftDetector detector = new DriftDetector(state, RATE);
        for (int i = 0; i < 20_000; i++) {
            int kind = random.nextInt(4);
            DriftDetector.Change change = feed(detector, generation(random, 5_000 * kind, 2 + kind), i);
            assertThat(change).as("seed %d, generation %d", SEED, i).isEqualTo(DriftDetector.Change.NONE);
            detector.onLogLoss(40 * (1 + 0.3 * random.nextGaussian()), 40, i);
        }
        assertThat(state.alarms).isZero();
        assertThat(state.generations).isEqualTo(20_000);
    }

    @Test
    void aShiftIsSeenWithinAHundredGenerationsInBothDirections() {
        for (int round = 0; round < 50; round++) {
            Random random = new Random(SEED + round);
            DriftDetector detector = new DriftDetector(new DriftDetector.State(), RATE);
            assertThat(untilAlarm(detector, random, 0, 3, 600)).isEqualTo(Integer.MAX_VALUE);
            assertThat(untilAlarm(detector, random, 50_000, 5, 600))
                    .as("round %d", round)
                    .isLessThan(60);
            assertThat(untilAlarm(detector, random, 50_000, 5, 600)).isEqualTo(Integer.MAX_VALUE);
            assertThat(untilAlarm(detector, random, 0, 3, 600))
                    .as("back, round %d", round)
                    .isLessThan(60);
        }
    }

    /** The new traffic is a part of the old: nothing is novel, everything is less so. */
    @Test
    void aShiftToMoreOfTheSameIsSeenToo() {
        Random random = new Random(SEED);
        DriftDetector detector = new DriftDetector(new DriftDetector.State(), RATE);
        untilAlarm(detector, random, 0, 2, 1_000);
        assertThat(untilAlarm(detector, random, 0, 12, 600)).isLessThan(100);
    }

    @Test
    void aShiftOfTheLogLossAloneIsSeenInBothDirections() {
        for (double after : new double[] {2.5, 0.2}) {
            Random random = new Random(SEED);
            DriftDetector detector = new DriftDetector(new DriftDetector.State(), RATE);
            for (int i = 0; i < 1_500; i++) {
                double loss = 1.2 + 0.2 * random.nextGaussian();
                assertThat(detector.onLogLoss(30 * loss, 30, i)).isEqualTo(DriftDetector.Change.NONE);
            }
            int seen = 0;
            for (int i = 1; i <= 200 && seen == 0; i++) {
                double loss = after + 0.1 * random.nextGaussian();
                seen = detector.onLogLoss(30 * loss, 30, i) == DriftDetector.Change.ALARM ? i : 0;
            }
            assertThat(seen).as("to %s", after).isBetween(1, 100);
        }
    }

    @Test
    void aLogLossThatCreepsAsAnIndexGrowsRaisesNoAlarm() {
        Random random = new Random(SEED);
        DriftDetector detector = new DriftDetector(new DriftDetector.State(), RATE);
        for (int i = 0; i < 20_000; i++) {
            double loss = 0.9 + 0.25 * Math.exp(-i / 3_000.0) + 0.25 * random.nextGaussian();
            assertThat(detector.onLogLoss(30 * Math.max(0, loss), 30, i))
                    .as("generation %d", i)
                    .isEqualTo(DriftDetector.Change.NONE);
        }
    }

    /** Short runs with a low bar, so that false alarms can be counted. */
    @Test
    void falseAlarmsAreAsRareAsStated() {
        int alarms = 0;
        int runs = 1_000;
        for (int run = 0; run < runs; run++) {
            Random random = new Random(SEED + run);
            DriftDetector detector = new DriftDetector(new DriftDetector.State(), 2_000);
            int before = DriftDetector.REFERENCE_GENERATIONS;
            for (int i = 0; i < before + 200; i++) {
                if (feed(detector, generation(random, 0, 3), i) == DriftDetector.Change.ALARM) {
                    alarms++;
                    break;
                }
            }
        }
        assertThat(alarms)
                .as("of %d runs of 200 generations at 2,000 a false alarm", runs)
                .isLessThanOrEqualTo(100);
    }

    @Test
    void theAlarmEndsAfterItsGenerations() {
        Random random = new Random(SEED);
        DriftDetector detector = new DriftDetector(new DriftDetector.State(), RATE);
        untilAlarm(detector, random, 0, 3, 600);
        untilAlarm(detector, random, 50_000, 5, 600);
        assertThat(detector.alarm()).isTrue();
        DriftDetector.Change last = DriftDetector.Change.NONE;
        for (int i = 0; i < DriftDetector.ALARM_GENERATIONS; i++) {
            assertThat(last).isEqualTo(DriftDetector.Change.NONE);
            last = feed(detector, generation(random, 50_000, 5), i);
        }
        assertThat(last).isEqualTo(DriftDetector.Change.ENDED);
        assertThat(detector.alarm()).isFalse();
    }
}
