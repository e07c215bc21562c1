package io.tailrace.worker.engine;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;

/** {@code none}: plain decoding. */
public final class NoDrafts implements DraftSource {
    public static final String STRATEGY = "none";

    public static final Draft EMPTY = new DraftTree();

    static final Drafting NOTHING = new Drafting() {
        @Override
        public Draft draft(int budget) {
            return EMPTY;
        }

        @Override
        public boolean patient() {
            return true;
        }

        @Override
        public void verified(int[] tokens, int count) {
            // No draft depends on it.
        }

        @Override
        public long snapshotVersion() {
            return 0;
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
    public Drafting begin(String scope, int[] prompt) {
        return NOTHING;
    }
}
