package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final List<FaultKind> ALL = List.of(FaultKind.values());

    @Test
    void aSeedGivesTheSameFaultsAgainAndAnotherSeedOthers() {
        assertThat(Schedule.draw(7, ALL, 60)).isEqualTo(Schedule.draw(7, ALL, 60));
        assertThat(Schedule.draw(7, ALL, 60).faults())
                .isNotEqualTo(Schedule.draw(8, ALL, 60).faults());
    }

    @Test
    void moreTimeGoesOnWithTheSameFaults() {
        assertThat(Schedule.draw(7, ALL, 120).faults().subList(0, 60))
                .isEqualTo(Schedule.draw(7, ALL, 60).faults());
    }

    @Test
    void everyKindComesOnceBeforeAnyComesAgain() {
        for (long seed = 0; seed < 100; seed++) {
            List<FaultKind> kinds = Schedule.draw(seed, ALL, 2 * ALL.size()).faults().stream()
                    .map(PlannedFault::kind)
                    .toList();
            assertThat(kinds.subList(0, ALL.size())).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(ALL);
            assertThat(kinds.subList(ALL.size(), kinds.size())).containsExactlyInAnyOrderElementsOf(ALL);
        }
    }

    @Test
    void aFaultLastsAsLongAsItsKindMay() {
        assertThat(Schedule.draw(7, ALL, 1_000).faults())
                .allSatisfy(fault -> assertThat(fault.seconds())
                        .isBetween(fault.kind().secondsMin(), fault.kind().secondsMax()));
    }

    @Test
    void ofNoKindThereIsNoSchedule() {
        assertThatThrownBy(() -> Schedule.draw(7, List.of(), 1)).hasMessageContaining("at least one kind");
    }
}
