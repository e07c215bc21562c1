package io.tailrace.suffix.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.Drafter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GenerationReplayTest {
    private static final int[] RESPONSE = {5, 6, 7};

    /** What a drafter is told. */
    private static final class Told implements Drafter {
        private final Draft nothing = new DraftTree();
        private final List<Integer> prompt = new ArrayList<>();
        private final List<Integer> said = new ArrayList<>();

        @Override
        public void begin(int[] tokens, int length) {
            add(prompt, tokens, length);
        }

        @Override
        public Draft draft(LaneIndex index, int budget) {
            assertThat(prompt.size() + said.size()).isPositive();
            return nothing;
        }

        @Override
        public void verified(int[] tokens, int length) {
            add(said, tokens, length);
        }

        private static void add(List<Integer> to, int[] tokens, int length) {
            for (int i = 0; i < length; i++) {
                to.add(tokens[i]);
            }
        }
    }

    private static long steps(Told drafter, int... prompt) {
        GenerationReplay replay = new GenerationReplay();
        replay.run(drafter, prompt, RESPONSE, LaneIndex.EMPTY, 4);
        return replay.steps();
    }

    @Test
    void anAnswerIsDraftedFromItsPromptOn() {
        Told drafter = new Told();
        assertThat(steps(drafter, 1, 2)).isEqualTo(3);
        assertThat(drafter.prompt).containsExactly(1, 2);
        assertThat(drafter.said).containsExactly(5, 6, 7);
    }

    /** As in a worker that was given none: its first token is no prompt by which similar requests could be found. */
    @Test
    void whereThePromptIsUnknownTheFirstTokenIsSaid() {
        Told drafter = new Told();
        assertThat(steps(drafter)).isEqualTo(2);
        assertThat(drafter.prompt).isEmpty();
        assertThat(drafter.said).containsExactly(5, 6, 7);
    }
}
