package io.tailrace.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.worker.speculation.Forks;
import org.junit.jupiter.api.Test;

class OverlapSimulationTest {
    @Test
    void aSimulationHidesWhatWasPreparedBehindTheStep() {
        // A step takes 100, a draft 40: the first two forks are ready, the third is late.
        OverlapSimulation simulation = new OverlapSimulation(3, 1, 100);
        simulation.begin(40);
        Forks forks = new Forks(4);
        forks.add(-1, 1, 0.4f);
        forks.add(-1, 2, 0.3f);
        forks.add(0, 1, 0.2f);
        forks.add(0, 2, 0.1f);
        assertThat(simulation.step(forks, -1, 2, 40)).isTrue();
        assertThat(simulation.step(forks, 0, 1, 40)).isFalse();
        assertThat(simulation.step(forks, 0, 2, 40)).isFalse();
        assertThat(simulation.step(forks, -1, 1, 40)).isTrue();
        OverlapSimulation.Outcome outcome = simulation.outcome();
        assertThat(outcome).isEqualTo(new OverlapSimulation.Outcome(4, 2, 1, 1, 80, 120, 100));
        assertThat(outcome.hitRate()).isEqualTo(0.5);
        assertThat(outcome.hiddenShare()).isCloseTo(0.4, within(1e-9));
        assertThat(outcome.speedUp()).isCloseTo(600.0 / 520, within(1e-9));
    }

    @Test
    void morePreparersAreInTimeForMoreForks() {
        OverlapSimulation simulation = new OverlapSimulation(8, 4, 100);
        Forks forks = new Forks(8);
        for (int token = 0; token < 8; token++) {
            forks.add(-1, token, 0.1f);
        }
        assertThat(simulation.step(forks, -1, 7, 50)).isTrue();
        assertThat(simulation.step(forks, -1, 7, 51)).isFalse();
        assertThat(simulation.step(forks, -1, 3, 51)).isTrue();
    }

    @Test
    void aSimulationOfNothingHidesNothing() {
        OverlapSimulation.Outcome outcome = new OverlapSimulation(1, 1, 0).outcome();
        assertThat(outcome.hitRate()).isZero();
        assertThat(outcome.hiddenShare()).isZero();
        assertThat(outcome.speedUp()).isEqualTo(1);
        assertThatThrownBy(() -> new OverlapSimulation(1, 0, 1)).hasMessageContaining("got 0");
    }
}
