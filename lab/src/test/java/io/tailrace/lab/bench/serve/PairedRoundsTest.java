package io.tailrace.lab.bench.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PairedRoundsTest {
    private static final long SEED = 20_261_123L;

    @Test
    void onePassIsTheRatioOfTheSums() {
        PairedRounds rounds = new PairedRounds();
        rounds.add(0, 100, 100);
        rounds.add(1, 100, 50);
        assertThat(rounds.gain()).isCloseTo(200.0 / 150, within(1e-12));
        assertThat(rounds.gainsOfPasses()).containsExactly(200.0 / 150);
    }

    /** The median over all pairs would say 2, since two of three rounds gain that. */
    @Test
    void roundsThatGainNothingCountAsMuchAsTheyTake() {
        PairedRounds rounds = new PairedRounds();
        for (int pass = 0; pass < 3; pass++) {
            rounds.add(0, 100, 100);
            rounds.add(1, 100, 50);
            rounds.add(2, 100, 50);
        }
        assertThat(rounds.gain()).isCloseTo(1.5, within(1e-12));
    }

    @Test
    void aSlowSecondOnOneSideOfOnePassMovesNothing() {
        PairedRounds rounds = new PairedRounds();
        for (int pass = 0; pass < 3; pass++) {
            rounds.add(0, pass == 1 ? 1_000 : 100, 80);
            rounds.add(1, 100, pass == 2 ? 900 : 80);
        }
        assertThat(rounds.gain()).isCloseTo(1.25, within(1e-12));
        assertThat(rounds.gainsOfPasses()).hasSize(3).contains(1.25);
    }

    @Test
    void neitherSideIsFlatteredByNoise() {
        Random random = new Random(SEED);
        double sum = 0;
        int trials = 2_000;
        for (int trial = 0; trial < trials; trial++) {
            PairedRounds rounds = new PairedRounds();
            for (int pass = 0; pass < 3; pass++) {
                for (int round = 0; round < 3; round++) {
                    rounds.add(round, noisy(random), noisy(random));
                }
            }
            sum += Math.log(rounds.gain());
        }
        assertThat(sum / trials).as("seed %d", SEED).isCloseTo(0, within(0.01));
    }

    private static double noisy(Random random) {
        return 100 * Math.exp(0.1 * random.nextGaussian()) * (random.nextInt(20) == 0 ? 3 : 1);
    }

    @Test
    void roundsComeInOrderAndTakeTime() {
        PairedRounds rounds = new PairedRounds();
        assertThatThrownBy(() -> rounds.add(1, 1, 1)).hasMessageContaining("round 0 to 0");
        assertThatThrownBy(() -> rounds.add(0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
