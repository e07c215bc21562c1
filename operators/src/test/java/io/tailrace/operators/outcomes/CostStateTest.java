package io.tailrace.operators.outcomes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.operators.state.StateCodec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CostStateTest {
    private static final String LANE = "toy@1/acme";

    private final CostState state = new CostState();

    private static RequestOutcome outcome(String workerClass, String worker, double micros) {
        return new RequestOutcome(
                LANE,
                worker,
                0,
                LaneOutcome.Totals.ZERO,
                List.of(new LaneOutcome.StepCost(workerClass, 1, 1, 10, 10 * micros)),
                null);
    }

    private double fitted() {
        return state.fitted().get(0).micros();
    }

    @Test
    void ofEightWorkersOneThatLiesMovesNothing() throws Exception {
        for (int worker = 0; worker < 7; worker++) {
            state.add(outcome("cpu", "worker-" + worker, 1_000 + worker), 0);
        }
        double before = fitted();
        for (int i = 0; i < 10_000; i++) {
            state.add(outcome("cpu", "liar", 100_000), 0);
        }
        assertThat(fitted()).isCloseTo(before, within(0.02 * before));
        StateCodec<CostState> codec = new StateCodec<>(CostState.class, "Costs");
        assertThat(codec.decode(codec.encode(state)).fitted()).isEqualTo(state.fitted());
    }

    @Test
    void whoInventsNamesDrivesNobodyOut() {
        for (int worker = 0; worker < 5; worker++) {
            state.add(outcome("cpu", "worker-" + worker, 1_000), 0);
        }
        for (int name = 0; name < 1_000; name++) {
            state.add(outcome("cpu", "invented-" + name, 100_000), 1);
            state.add(outcome("invented-" + name, "liar", 100_000), 1);
        }
        assertThat(fitted()).isCloseTo(1_000, within(50.0));
        assertThat(state.kept).hasSize(CostState.CLASSES_MAX).containsKey("cpu");
        assertThat(state.kept.get("cpu").workers).hasSize(CostState.WORKERS_MAX);
    }

    /** Its word would count alone until the clock is there again. */
    @Test
    void whoReportedWhileTheClockWasAheadCountsAsOneOfAll() {
        state.add(outcome("cpu", "early", 9_000), Duration.ofDays(1).toMillis());
        for (int worker = 0; worker < 4; worker++) {
            state.add(outcome("cpu", "worker-" + worker, 1_000), 0);
        }
        assertThat(fitted()).isCloseTo(1_000, within(50.0));
    }

    @Test
    void thoseThatAreGoneCountNoMoreAndGiveUpTheirPlaces() {
        for (int worker = 0; worker < CostState.WORKERS_MAX; worker++) {
            state.add(outcome("cpu", "old-" + worker, 1_000), worker);
        }
        assertThat(fitted()).isCloseTo(1_000, within(50.0));
        long later = 2 * CostState.SILENT_MILLIS;
        state.add(outcome("cpu", "new", 3_000), later);
        assertThat(fitted()).isCloseTo(3_000, within(150.0));
        assertThat(state.kept.get("cpu").workers).hasSize(CostState.WORKERS_MAX).doesNotContainKey("old-0");
    }
}
