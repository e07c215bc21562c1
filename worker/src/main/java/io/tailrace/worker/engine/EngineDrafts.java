package io.tailrace.worker.engine;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.worker.candidates.TargetCandidates;
import io.tailrace.worker.device.PassDrafts;
import io.tailrace.worker.device.TokenChoice;
import io.tailrace.worker.draftmodel.AheadOfVerification;

/**
 * What an engine drafts with: a source, and what beside drafting it does for an engine of ours. Who does none of it is {@code NONE}.
 *
 * @param source drafts for the requests of each step
 * @param pass writes drafts into the pass
 * @param choice chooses tokens where the logits lie
 * @param ahead prepares the next drafts while the target verifies
 * @param candidates hears of the tokens that the target finds likely
 */
public record EngineDrafts(
        DraftSource source,
        PassDrafts pass,
        TokenChoice choice,
        AheadOfVerification ahead,
        TargetCandidates candidates) {
    /** A source with what it does by itself. */
    public static EngineDrafts of(DraftSource source) {
        return new EngineDrafts(
                source,
                source instanceof PassDrafts pass ? pass : PassDrafts.NONE,
                source instanceof TokenChoice choice ? choice : TokenChoice.NONE,
                source instanceof AheadOfVerification ahead ? ahead : AheadOfVerification.NONE,
                source instanceof TargetCandidates candidates ? candidates : TargetCandidates.NONE);
    }

    /**
     * The same for a source that wraps this one.
     *
     * @param wrapper brings each step's requests to this source at the places they have in its own steps
     */
    public EngineDrafts within(DraftSource wrapper) {
        return new EngineDrafts(wrapper, pass, choice, ahead, candidates);
    }
}
