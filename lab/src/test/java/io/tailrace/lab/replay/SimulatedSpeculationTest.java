package io.tailrace.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.lab.replay.OverlapSimulation.Outcome;
import io.tailrace.lab.replay.SimulatedSpeculation.Choice;
import io.tailrace.lab.replay.SimulatedSpeculation.Figures;
import io.tailrace.lab.replay.SimulatedSpeculation.Source;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedSpeculationTest {
    private static final int[] PROMPT = {1};

    /** Drafts 10, 11, 12, ... as siblings, likeliest first: as many as the budget. */
    private static final class Siblings implements Drafter {
        private final DraftTree tree = new DraftTree();

        @Override
        public void begin(int[] prompt, int length) {}

        @Override
        public Draft draft(LaneIndex index, int budget) {
            tree.clear();
            for (int i = 0; i < budget; i++) {
                tree.add(10 + i, -1, 0.5f / (i + 1), 0, 1);
            }
            return tree;
        }

        @Override
        public void verified(int[] tokens, int length) {}
    }

    @Test
    void anEndingThatTheWiderDraftHoldsIsAHitAndOthersAreMisses() {
        SpeculatingDrafter drafter = drafter(new SimulatedSpeculation(List.of(new Source(20, 1)), 3, 20_000));
        drafter.begin(PROMPT, 1);
        step(drafter, 12); // prepared: 12, 13, 14 lie beyond a draft of 2
        step(drafter, 15);
        step(drafter, 10, 99); // behind 10 nothing is known
        drafter.draft(LaneIndex.EMPTY, 2);
        Outcome outcome = drafter.figures().get(0).outcome();
        assertThat(outcome.steps()).isEqualTo(3);
        assertThat(outcome.hits()).isEqualTo(1);
        assertThat(outcome.misses()).isEqualTo(2);
        assertThat(outcome.hiddenNanos()).isEqualTo(20_000);
        assertThat(outcome.waitedNanos()).isEqualTo(3 * 20_000);
    }

    @Test
    void whatIsNotReadyInTimeIsAMiss() {
        SpeculatingDrafter drafter =
                drafter(new SimulatedSpeculation(List.of(new Source(8_000, 1), new Source(8_000, 3)), 3, 20_000));
        drafter.begin(PROMPT, 1);
        step(drafter, 14); // the third entry is ready after 24 ms, if prepared one by one
        drafter.draft(LaneIndex.EMPTY, 2);
        List<Figures> figures = drafter.figures();
        assertThat(figures)
                .extracting(Figures::choice)
                .containsExactly(Choice.BEST_FIRST, Choice.GEOMETRIC, Choice.BEST_FIRST, Choice.GEOMETRIC);
        assertThat(figures.get(0).outcome().late()).isEqualTo(1);
        assertThat(figures.get(2).outcome().hits()).isEqualTo(1);
    }

    @Test
    void aRequestsLastStepDoesNotCount() {
        SpeculatingDrafter drafter = drafter(new SimulatedSpeculation(List.of(new Source(20, 1)), 3, 20_000));
        drafter.begin(PROMPT, 1);
        step(drafter, 12);
        drafter.begin(PROMPT, 1);
        drafter.draft(LaneIndex.EMPTY, 2);
        assertThat(drafter.figures().get(0).outcome().steps()).isZero();
    }

    @Test
    void simulatingChangesNothingOfWhatIsDrafted() throws InterruptedException {
        ReplayStream stream = Requests.random("w", 40, 30, 5);
        StrategyChoice adaptive = StrategyChoice.parse("adaptive");
        ReplayProtocol online = ReplayProtocol.online();
        SimulatedSpeculation speculation = new SimulatedSpeculation(List.of(new Source(20, 1)), 14, 20_000);
        List<ReplayRun.Done> done = new ReplaySuite(List.of(
                        new ReplayRun(stream, adaptive, new float[0], 8, online),
                        new ReplayRun(stream, adaptive, new float[0], 8, online, speculation)))
                .run(1);
        assertThat(done.get(1).result().requestSteps())
                .isEqualTo(done.get(0).result().requestSteps());
        assertThat(SimulatedSpeculation.Row.of(done)).hasSize(2);
        Outcome outcome = SimulatedSpeculation.Row.of(done).get(0).figures().outcome();
        assertThat(outcome.hits() + outcome.late() + outcome.misses()).isEqualTo(outcome.steps());
        assertThat(outcome.hitRate()).isBetween(0.1, 1.0);
    }

    @Test
    void sourcesAreReadAndAddedUp() {
        assertThat(SimulatedSpeculation.parse("20,5000:14")).containsExactly(new Source(20, 1), new Source(5000, 14));
        assertThat(SimulatedSpeculation.sum(List.of(), List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "5:0", "5:1:1", "1.5"})
    void whatIsNoSourceIsRefused(String text) {
        assertThatThrownBy(() -> SimulatedSpeculation.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MICROSECONDS");
    }

    private static void step(SpeculatingDrafter drafter, int... tokens) {
        drafter.draft(LaneIndex.EMPTY, 2);
        drafter.verified(tokens, tokens.length);
    }

    private static SpeculatingDrafter drafter(SimulatedSpeculation speculation) {
        return new SpeculatingDrafter(new Siblings(), speculation);
    }
}
