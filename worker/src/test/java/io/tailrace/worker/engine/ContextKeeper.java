package io.tailrace.worker.engine;

import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.draft.internal.NoDrafts;
import io.tailrace.suffix.draft.Draft;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Drafts nothing, and keeps what it knew of one request's context whenever it was asked to. */
final class ContextKeeper implements DraftSource {
    private final List<int[]> contexts = new ArrayList<>();

    /** Contexts at drafts, in their order; read once the engine is idle. */
    List<int[]> contexts() {
        return contexts;
    }

    @Override
    public String strategy() {
        return "context-keeper";
    }

    @Override
    public RequestDrafts begin(String scope, int[] prompt) {
        return new Keeping(prompt);
    }

    @Override
    public void draft(Step step) {
        for (int place = 0; place < step.size(); place++) {
            step.put(place, step.request(place, Keeping.class).draft(step.budget(place)), 1_000);
        }
    }

    @Override
    public void verified(Step step, StepOutcomes outcomes) {
        for (int place = 0; place < step.size(); place++) {
            step.request(place, Keeping.class).verified(outcomes.tokens(place), outcomes.count(place));
        }
    }

    @Override
    public void close() {
        // Holds nothing.
    }

    private final class Keeping implements RequestDrafts {
        private int[] context;

        Keeping(int[] prompt) {
            context = prompt.clone();
        }

        private Draft draft(int budget) {
            if (budget > 0) {
                contexts.add(context);
            }
            return NoDrafts.EMPTY;
        }

        private void verified(int[] tokens, int count) {
            int length = context.length;
            context = Arrays.copyOf(context, length + count);
            System.arraycopy(tokens, 0, context, length, count);
        }

        @Override
        public DraftLearning learned() {
            return DraftLearning.NONE;
        }

        @Override
        public long snapshotVersion() {
            return 0;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
