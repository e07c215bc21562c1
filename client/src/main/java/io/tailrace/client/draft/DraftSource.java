package io.tailrace.client.draft;

/**
 * Where an engine's drafts come from. One for an engine, used by one thread. It drafts for a whole step at once, and hears of each step's
 * end; an engine makes its steps with a {@link DraftPlan}, so that neither can be left out nor come out of order.
 *
 * <p>A source that wraps another begins the other's requests within its own, and makes the other's steps with a plan of its own.
 */
public interface DraftSource extends AutoCloseable {
    /** Name of the strategy, for outcomes. */
    String strategy();

    /**
     * Begins a request.
     *
     * @param scope its lane's
     * @param prompt its context so far; never changed
     */
    RequestDrafts begin(String scope, int[] prompt);

    /** Drafts for all requests of a step: {@link DraftStep#put puts} a draft, which may be empty, for each; called by {@link DraftPlan#draft}. */
    void draft(DraftStep step);

    /** Hears what became of the step it drafted for last; called by {@link DraftedStep#verified}. */
    void verified(DraftStep step, StepOutcomes outcomes);

    /** Frees what all requests share. */
    @Override
    void close();
}
