package io.tailrace.worker.device;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.model.PlannedPass;
import java.util.Optional;

/**
 * Drafts that are written into the pass where the model reads it, so that the host never waits for them. What the host is given for a draft
 * then is a forecast: as many nodes as are likely to pay, with what their probabilities may be. Places are those of the step in hand.
 */
public interface PassDrafts {
    /** For an engine whose drafts all pass through the host. */
    PassDrafts NONE = new PassDrafts() {
        @Override
        public boolean completes() {
            return false;
        }

        @Override
        public void seat(int place, int input, int node, int nodes) {
            // The host has put the draft there itself.
        }

        @Override
        public void complete(PlannedPass pass) {
            throw new IllegalStateException("only what completes() completes a pass");
        }

        @Override
        public Optional<Draft> revealed(int place) {
            return Optional.empty();
        }
    };

    /** Whether drafts are written into the step's pass, by {@link #complete}. */
    boolean completes();

    /**
     * Says where a request's nodes stand in the pass; before it is completed.
     *
     * @param input the request's place in the pass
     * @param node the draft's first node there
     * @param nodes of the draft that are in the pass
     */
    void seat(int place, int input, int node, int nodes);

    /** Writes the step's drafts into its pass. Called between plan and pass. */
    void complete(PlannedPass pass);

    /** The draft that was verified, where a forecast stood for it; once the step's tokens are chosen. */
    Optional<Draft> revealed(int place);
}
