package io.tailrace.worker.engine;

import io.tailrace.suffix.draft.Draft;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Drafts nothing, and keeps what it knew of one request's context whenever it was asked to. */
final class ContextKeeper implements DraftSource {
    private final boolean patient;
    private final List<int[]> contexts = new ArrayList<>();
    private int told;

    ContextKeeper(boolean patient) {
        this.patient = patient;
    }

    /** Contexts at drafts, in their order; read once the engine is idle. */
    List<int[]> contexts() {
        return contexts;
    }

    /** How often it was told what came. */
    int told() {
        return told;
    }

    @Override
    public String strategy() {
        return "context-keeper";
    }

    @Override
    public Drafting begin(String scope, int[] prompt) {
        return new Keeping(prompt);
    }

    private final class Keeping implements Drafting {
        private int[] context;

        Keeping(int[] prompt) {
            context = prompt.clone();
        }

        @Override
        public boolean patient() {
            return patient;
        }

        @Override
        public Draft draft(int budget) {
            if (budget > 0) {
                contexts.add(context);
            }
            return NoDrafts.EMPTY;
        }

        @Override
        public void verified(int[] tokens, int count) {
            told++;
            int length = context.length;
            context = Arrays.copyOf(context, length + count);
            System.arraycopy(tokens, 0, context, length, count);
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
