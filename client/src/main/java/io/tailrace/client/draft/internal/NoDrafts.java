package io.tailrace.client.draft.internal;

import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;

/** {@code none}: plain decoding. */
public final class NoDrafts implements DraftSource {
    public static final String STRATEGY = "none";

    /** A draft of nothing. */
    public static final Draft EMPTY = new DraftTree();

    private static final RequestDrafts NOTHING = new RequestDrafts() {
        @Override
        public long snapshotVersion() {
            return 0;
        }

        @Override
        public DraftLearning learned() {
            return DraftLearning.NONE;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    };

    @Override
    public String strategy() {
        return STRATEGY;
    }

    @Override
    public RequestDrafts begin(String scope, int[] prompt) {
        return NOTHING;
    }

    @Override
    public void draft(Step step) {
        for (int place = 0; place < step.size(); place++) {
            step.put(place, EMPTY, 0);
        }
    }

    @Override
    public void verified(Step step, StepOutcomes outcomes) {
        // No draft depends on it.
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
