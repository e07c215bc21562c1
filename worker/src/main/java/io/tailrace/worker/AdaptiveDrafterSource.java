package io.tailrace.worker;

import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import java.util.Arrays;

/**
 * The adaptive drafter with its mixer. Weights of a policy are taken over when they are new and of a layout this release
 * knows; otherwise the mixer goes on with what it has learned here.
 */
public final class AdaptiveDrafterSource implements DrafterSource {
    private final boolean takesWeights;
    private Mixer mixer = Mixer.defaults();
    private float[] takenWeights = new float[0];
    private DraftPolicy policy;
    private Drafter drafter;

    /**
     * A source with the product's default weights.
     *
     * @param takesWeights false: never takes a policy's weights, since they were learned with shared sources
     */
    public AdaptiveDrafterSource(boolean takesWeights) {
        this.takesWeights = takesWeights;
    }

    @Override
    public Drafter under(DraftPolicy next) {
        adopt(next);
        if (drafter == null) {
            drafter = another(next);
        }
        return drafter;
    }

    /** One more drafter, for a request served beside others: all of them learn into the same weights. */
    public Drafter another(DraftPolicy next) {
        adopt(next);
        return new AdaptiveDrafter(mixer, next);
    }

    private void adopt(DraftPolicy next) {
        if (policy == null || !same(next, policy)) {
            takeWeights(next);
            policy = next;
            drafter = null;
        }
    }

    private void takeWeights(DraftPolicy next) {
        boolean understood = next.weightsLayout() == Mixer.LAYOUT && next.weights().length > 0;
        if (takesWeights && understood && !Arrays.equals(next.weights(), takenWeights)) {
            takenWeights = next.weights();
            mixer = Mixer.of(takenWeights);
        }
    }

    private static boolean same(DraftPolicy one, DraftPolicy other) {
        return one.enabled() == other.enabled()
                && one.budgetMax() == other.budgetMax()
                && one.probabilityFloor() == other.probabilityFloor()
                && one.weightsLayout() == other.weightsLayout()
                && Arrays.equals(one.weights(), other.weights());
    }
}
