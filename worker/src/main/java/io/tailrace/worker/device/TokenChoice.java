package io.tailrace.worker.device;

import io.tailrace.worker.model.Logits;
import io.tailrace.worker.sampling.SamplingParameters;
import java.util.Optional;

/**
 * Tokens that are chosen where the logits lie, for all requests of a step at once. Places are those of the step in hand.
 *
 * <p>It is asked for every request, also where it drafts nothing: its chance is not the host's, and sampled output must not depend on
 * drafts.
 */
public interface TokenChoice {
    /** For an engine that chooses by itself. */
    TokenChoice NONE = new TokenChoice() {
        @Override
        public void offer(int place, Logits logits, int input, int end, int nodes, SamplingParameters sampling) {
            // The engine looks at them itself.
        }

        @Override
        public void choose() {
            // Nothing was offered.
        }

        @Override
        public Optional<int[]> chosen(int place) {
            return Optional.empty();
        }
    };

    /**
     * Shows a request's logits.
     *
     * @param input the request's place in the pass
     * @param end node of the context's last token; the draft's nodes follow it
     * @param nodes of the draft that were verified
     */
    void offer(int place, Logits logits, int input, int end, int nodes, SamplingParameters sampling);

    /** All requests of the step have shown their logits. */
    void choose();

    /** What was chosen of a request's: the accepted tokens, then the model's own. Empty: the engine chooses. */
    Optional<int[]> chosen(int place);
}
