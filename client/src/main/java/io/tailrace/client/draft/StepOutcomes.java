package io.tailrace.client.draft;

/** What became of a step, by its requests' places. */
public interface StepOutcomes {
    /** What the request emitted: the accepted path's tokens, then the model's own. Valid during the call they are read in. */
    int[] tokens(int place);

    /** How many of them. */
    int count(int place);
}
