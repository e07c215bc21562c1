package io.tailrace.lab.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TurnTimesTest {
    private final SplittableRandom random = new SplittableRandom(7);

    /** Blocks of unlike size, one drafter so many times as fast as the other, on a machine that drifts from round to round. */
    private TurnTimes drifting(int blocks, int passes, double gain) {
        TurnTimes times = new TurnTimes();
        for (int pass = 0; pass < passes; pass++) {
            for (int block = 0; block < blocks; block++) {
                double speed = 1 + random.nextDouble();
                times.add("code", block, pass, "suffix", speed * 1e9 * (1 + block % 4));
                times.add("code", block, pass, "tailrace", speed * 1e9 * (1 + block % 4) / gain);
            }
        }
        return times;
    }

    @Test
    void driftCancels() {
        TurnTimes.Ratio ratio =
                drifting(12, 3, 1.25).ratio("tailrace", "suffix").ratio();
        assertThat(ratio.value()).isCloseTo(1.25, within(1e-9));
        assertThat(ratio.low()).isCloseTo(1.25, within(1e-9));
        assertThat(ratio.high()).isCloseTo(1.25, within(1e-9));
    }

    @Test
    void aBurstInOneTurnLeavesItsRoundOut() {
        TurnTimes times = drifting(12, 3, 1.25);
        times.add("code", 5, 1, "tailrace", 9e9);
        assertThat(times.trimmed()).isEqualTo(1);
        assertThat(times.rounds()).isEqualTo(36);
        assertThat(times.isKept("code", 5, 1)).isFalse();
        assertThat(times.isKept("code", 5, 2)).isTrue();
        assertThat(times.ratio("tailrace", "suffix").ratio().value()).isCloseTo(1.25, within(1e-9));
    }

    @Test
    void aBlockKeepsOneRoundWhateverHappens() {
        TurnTimes times = new TurnTimes();
        for (int pass = 0; pass < 2; pass++) {
            times.add("code", 0, pass, "suffix", 1e9);
            times.add("code", 0, pass, "tailrace", pass == 0 ? 1e8 : 1e10);
        }
        assertThat(times.trimmed()).isEqualTo(1);
    }

    @Test
    void theIntervalHoldsTheRatioAndIsWideWhereBlocksDiffer() {
        TurnTimes times = new TurnTimes();
        for (int block = 0; block < 20; block++) {
            times.add("code", block, 0, "suffix", 1e9);
            times.add("code", block, 0, "tailrace", block % 2 == 0 ? 0.5e9 : 1e9);
        }
        TurnTimes.Ratio ratio = times.ratio("tailrace", "suffix").ratio();
        assertThat(ratio.value()).isCloseTo(4.0 / 3, within(1e-9));
        assertThat(ratio.low()).isBetween(1.1, 1.3);
        assertThat(ratio.high()).isBetween(1.4, 1.7);
    }
}
