package io.tailrace.suffix.example;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;

/** Drafts for a request until its answer is complete. */
final class OneRequest {
    /** What runs the target model. */
    interface Verifier {
        /** Verifies the tree in one pass: the accepted path's tokens, then the model's own; none when the answer is complete. */
        int[] verify(Draft draft);
    }

    private OneRequest() {}

    /** Steps that the answer took: without drafts it would be one for each token. */
    static int decode(int[] prompt, LaneIndex lane, Verifier verifier) {
        Drafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
        drafter.begin(prompt, prompt.length);
        int steps = 0;
        for (int[] tokens = verifier.verify(drafter.draft(lane, 16)); tokens.length > 0; steps++) {
            drafter.verified(tokens, tokens.length);
            tokens = verifier.verify(drafter.draft(lane, 16));
        }
        return steps;
    }
}
