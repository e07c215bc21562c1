package io.tailrace.lab.load;

import io.tailrace.client.verification.DecodeTally;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.Drafter;
import java.util.Arrays;

/**
 * A drafter in the hands of one request. It is told what was said when the next draft is wanted: as long as none is, as where the
 * lane's policy is off, it is not called at all.
 */
final class RequestDrafter {
    private static final Draft NOTHING = new DraftTree();
    private static final int[] NO_TOKENS = {};

    private final Drafter drafter;
    /** What the drafter has not been told yet; at first the prompt, which is not written to. */
    private int[] said;

    private int length;
    private boolean begun;
    /** Whether the step in hand has a draft. */
    private boolean drafted;

    RequestDrafter(Drafter drafter, int[] prompt) {
        this.drafter = drafter;
        this.said = prompt;
        this.length = prompt.length;
    }

    /** A draft of so many tokens at most; with 0 the drafter is not asked. */
    Draft draft(LaneIndex index, int budget, float probabilityMin) {
        if (budget == 0) {
            return NOTHING;
        }
        tellWhatWasSaid();
        drafted = true;
        return drafter.draft(index, budget, probabilityMin);
    }

    /** What verification said of the step. */
    void verified(int[] tokens, int count) {
        if (drafted) {
            drafter.verified(tokens, count);
            drafted = false;
        } else {
            keep(tokens, count);
        }
    }

    /** Tells what the drafter has learned from the request. */
    void learned(DecodeTally tally) {
        if (begun && drafter instanceof AdaptiveDrafter adaptive) {
            tally.learned(adaptive.logLoss(), adaptive.predictions());
        }
    }

    private void tellWhatWasSaid() {
        if (!begun) {
            drafter.begin(said, length);
            said = NO_TOKENS;
            begun = true;
        } else if (length > 0) {
            drafter.verified(said, length);
        }
        length = 0;
    }

    private void keep(int[] tokens, int count) {
        if (length + count > said.length) {
            said = Arrays.copyOf(said, 2 * length + count);
        }
        System.arraycopy(tokens, 0, said, length, count);
        length += count;
    }
}
