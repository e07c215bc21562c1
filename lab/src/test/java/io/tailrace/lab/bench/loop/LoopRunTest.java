package io.tailrace.lab.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.replay.NoLag;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopRunTest {
    @Test
    void goalsAreReachedAtTheirBoundAndMissedBehindIt() {
        assertThat(isWithin(10_000, 2_000)).isTrue();
        assertThat(isWithin(10_001, 2_000)).isFalse();
        assertThat(isWithin(10_000, 2_001)).isFalse();
    }

    @Test
    void whatWasNotMeasuredReachesNoGoal() {
        assertThat(isWithin(LoopRun.NONE, 300)).isFalse();
        assertThat(isWithin(900, LoopRun.NONE)).isFalse();
    }

    @Test
    void aFleetWithoutSnapshotOrCheckpointFallsShortWhateverItsShare() {
        assertThat(reached(0.98, 900, 300)).isTrue();
        assertThat(reached(0.96, 900, 300)).isFalse();
        assertThat(reached(0.98, LoopRun.NONE, 300)).isFalse();
        assertThat(reached(0.98, 900, LoopRun.NONE)).isFalse();
    }

    private static boolean isWithin(long freshnessMillis, long checkpointMillis) {
        NoLag.Figure[] none = {};
        return new LoopRun.Result(
                        none, none, 30, 100, freshnessMillis, freshnessMillis, 500, checkpointMillis, List.of(), 0)
                .isWithin(10_000, 2_000);
    }

    private static boolean reached(double share, long freshnessMillis, long checkpointMillis) {
        return new BenchFleetCommand.Row(
                        "code",
                        10,
                        1,
                        1,
                        1,
                        share,
                        share,
                        30,
                        100,
                        freshnessMillis,
                        freshnessMillis,
                        500,
                        checkpointMillis,
                        0)
                .reached();
    }
}
