package io.tailrace.worker.engine;

import io.tailrace.worker.model.PlannedPass;

/** Where drafts come from. One for an engine, used by its decode thread only. */
public interface DraftSource extends AutoCloseable {
    /** Name of the strategy, for outcomes. */
    String strategy();

    /**
     * Begins a request.
     *
     * @param scope its lane's
     * @param prompt its context so far; never changed
     */
    Drafting begin(String scope, int[] prompt);

    /** Begins a request that wants no drafts; only its tokens may be chosen here. */
    default Drafting beginPlain(String scope, int[] prompt) {
        return NoDrafts.NOTHING;
    }

    /** All requests of the step have said what they want. */
    default void draftPlanned() {}

    /** Whether drafts are written into the pass when it is planned, by {@link #complete}. */
    default boolean completes() {
        return false;
    }

    /** Writes the step's drafts into a pass. Called once a step, between plan and pass, if the source {@link #completes}. */
    default void complete(PlannedPass pass) {}

    /** The target begins to verify; requests with a draft have said what of it. */
    default void verificationBegins() {}

    /** The target has verified; requests will be told what came of it. */
    default void verificationEnded() {}

    /** All requests of the step have shown their logits. */
    default void chooseOffered() {}

    /** How many of the target's likeliest tokens to be told after each verified token; 0: none. Never more than the vocabulary has. */
    default int candidatesWanted() {
        return 0;
    }

    @Override
    default void close() {}
}
