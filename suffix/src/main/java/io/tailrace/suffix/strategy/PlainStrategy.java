package io.tailrace.suffix.strategy;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.Drafter;
import java.util.List;

/** {@code none}: plain decoding, one token a step. What every other strategy is measured against. */
final class PlainStrategy implements Strategy {
    @Override
    public String name() {
        return "none";
    }

    @Override
    public String description() {
        return "plain decoding";
    }

    @Override
    public Probabilities probabilities() {
        return Probabilities.NONE;
    }

    @Override
    public List<String> parameters() {
        return List.of();
    }

    @Override
    public boolean fromAnswers() {
        return false;
    }

    @Override
    public Drafter drafter(StrategySettings settings) {
        return new NoDrafter();
    }

    private static final class NoDrafter implements Drafter {
        private final DraftTree empty = new DraftTree();

        @Override
        public void begin(int[] prompt, int length) {
            // There is nothing to remember: no draft depends on the context.
        }

        @Override
        public Draft draft(LaneIndex index, int budget) {
            return empty;
        }

        @Override
        public void verified(int[] tokens, int length) {
            // As in begin.
        }
    }
}
