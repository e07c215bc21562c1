package io.tailrace.worker.engine;

import io.tailrace.client.verification.DecodeTally;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.sampling.SamplingParameters;
import java.util.Optional;

/** The drafts of one request. */
public interface Drafting extends AutoCloseable {
    /** Says what {@link #draft} will be asked for in this step: a batch's drafts may be grown together. */
    default void plan(int budget) {}

    /**
     * Grows a draft. A source that {@link DraftSource#completes} passes may answer with a forecast: as many nodes as are likely to
     * pay, with what their probabilities may be, whose tokens it writes into the pass itself.
     *
     * @param budget most nodes, 0 to 64
     * @return valid until {@link #verified}
     */
    Draft draft(int budget);

    /**
     * Grows a draft of which only the likelier nodes are of use.
     *
     * @param budget most nodes, 0 to 64
     * @param probabilityMin nodes whose path is less likely may be left out
     * @return valid until {@link #verified}
     */
    default Draft draft(int budget, float probabilityMin) {
        return draft(budget);
    }

    /**
     * Whether steps without a draft may pass it by: it is told what they emitted, all at once, when the next draft is wanted, and of
     * a request's last ones nothing.
     */
    default boolean patient() {
        return false;
    }

    /**
     * Says where the step's nodes stand in the pass; before the source {@link DraftSource#complete}s it.
     *
     * @param input the request's place in the pass
     * @param node the draft's first node there
     * @param nodes of the draft that are in the pass
     */
    default void seat(int input, int node, int nodes) {}

    /** The draft that was verified, where {@link #draft} gave a forecast; once the step's tokens are chosen. */
    default Optional<Draft> revealed() {
        return Optional.empty();
    }

    /** Says how many nodes of the draft are verified now: its first ones. */
    default void verifying(int nodes) {}

    /**
     * Shows the logits of what was verified, for a drafter that chooses the tokens, too.
     *
     * @param input the request's place in the pass
     * @param end node of the context's last token; the draft's nodes follow it
     * @param nodes of the draft that were verified
     */
    default void offer(Logits logits, int input, int end, int nodes, SamplingParameters sampling) {}

    /** What was chosen of the logits shown: the accepted tokens, then the model's own. Empty: the engine chooses. */
    default Optional<int[]> chosen() {
        return Optional.empty();
    }

    /** Tells what was emitted since: accepted tokens and the model's own. Also called for steps without a draft, see {@link #patient}. */
    void verified(int[] tokens, int count);

    /** Whether nothing is known yet of what the target finds likely after a token, so that it is worth telling in any step. */
    default boolean lacks(int token) {
        return false;
    }

    /**
     * Tells the target's likeliest tokens after a token, best first: at every place of the last verification, before
     * {@link #verified}. Only where the source wants to know them, in steps for which it drafted, and where it {@link #lacks} them.
     *
     * @param token what was verified
     * @param candidates valid during the call
     */
    default void candidates(int token, int[] candidates) {
        // Most sources look at texts only.
    }

    /** Notes what the request's drafts have taught, at its end. */
    default void learned(DecodeTally tally) {
        // Most sources do not learn.
    }

    /** Version of the snapshot drafted from last; 0: none. */
    long snapshotVersion();

    @Override
    void close();
}
