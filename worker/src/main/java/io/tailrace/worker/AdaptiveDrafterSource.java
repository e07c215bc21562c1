package io.tailrace.worker;

import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.LocalWeights;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The adaptive drafter with its mixer. When a policy brings new weights of a layout this release knows, the mixer is re-based on
 * them: it begins with theirs and keeps what it has learned since they were learned ({@link LocalWeights}). Other policies leave
 * its weights alone.
 */
public final class AdaptiveDrafterSource implements DrafterSource {
    /** How many times as fast the mixer learns while a drift alarm is on. */
    private static final float HURRY = 3;

    private final boolean takesWeights;
    private final LongSupplier clockMillis;
    private final LocalWeights local = new LocalWeights();
    private final Mixer mixer = Mixer.defaults();
    private float[] takenWeights = new float[0];
    private DraftPolicy policy;
    private Drafter drafter;

    /**
     * A source with the product's default weights.
     *
     * @param takesWeights false: never takes a policy's weights, since they were learned with shared sources
     */
    public AdaptiveDrafterSource(boolean takesWeights) {
        this(takesWeights, System::currentTimeMillis);
    }

    AdaptiveDrafterSource(boolean takesWeights, LongSupplier clockMillis) {
        this.takesWeights = takesWeights;
        this.clockMillis = clockMillis;
    }

    /** A copy of the mixer's weights as they stand now. */
    float[] weights() {
        return mixer.weights();
    }

    @Override
    public Drafter under(DraftPolicy next, long learnedAtMillis, boolean hurry) {
        hurry(hurry);
        adopt(next, learnedAtMillis);
        if (drafter == null) {
            drafter = new AdaptiveDrafter(mixer, next);
        }
        return drafter;
    }

    /** Whether to learn faster from now on: the traffic has shifted. */
    public void hurry(boolean on) {
        mixer.hurry(on ? HURRY : 1);
    }

    /** One more drafter, for a request served beside others: all of them learn into the same weights. */
    public AdaptiveDrafter another(DraftPolicy next, long learnedAtMillis) {
        adopt(next, learnedAtMillis);
        return new AdaptiveDrafter(mixer, next);
    }

    /** Notes the weights as they stand, if that is due: what is learned from now on is what a policy learned until now lacks. */
    public void remember() {
        if (takesWeights && local.isDue(clockMillis.getAsLong())) {
            local.remember(clockMillis.getAsLong(), mixer.weights());
        }
    }

    private void adopt(DraftPolicy next, long learnedAtMillis) {
        remember();
        if (!next.equals(policy)) {
            takeWeights(next, learnedAtMillis);
            policy = next;
            drafter = null;
        }
    }

    private void takeWeights(DraftPolicy next, long learnedAtMillis) {
        if (takesWeights && next.bringsWeights() && !Arrays.equals(next.weights(), takenWeights)) {
            takenWeights = next.weights();
            mixer.set(local.rebase(takenWeights, learnedAtMillis, mixer.weights()));
        }
    }
}
