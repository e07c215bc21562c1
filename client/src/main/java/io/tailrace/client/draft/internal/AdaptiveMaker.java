package io.tailrace.client.draft.internal;

import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPart;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.LocalWeights;
import java.util.function.LongSupplier;

/**
 * A lane's adaptive drafters with their mixer. When a policy with other weights comes the mixer is re-based on them, and keeps what it has
 * learned since they were learned; when an earlier policy comes back it goes on where that was left ({@link LocalWeights}). A policy
 * without weights stands for the product's. Weights of a layout that this release does not know, and the time while no version is
 * live, leave the mixer's alone.
 */
public final class AdaptiveMaker implements DrafterMaker {
    /** How many times as fast the mixer learns while a drift alarm is on; what the job's mixers do then is an option of the job. */
    static final float HURRY = 3;

    private final boolean takesWeights;
    private final boolean trees;
    private final LongSupplier clockMillis;
    private final Mixer mixer = Mixer.defaults();
    private final LocalWeights local;
    private DraftPolicy policy;

    /**
     * A maker with the product's default weights.
     *
     * @param takesWeights false: never takes a policy's weights, since they were learned with shared sources
     */
    public AdaptiveMaker(boolean takesWeights) {
        this(takesWeights, true, System::currentTimeMillis);
    }

    /**
     * A maker of drafters for engines that verify trees, or lines only.
     *
     * @param takesWeights false: never takes a policy's weights, since they were learned with shared sources
     * @param trees false: the likeliest path
     */
    public AdaptiveMaker(boolean takesWeights, boolean trees) {
        this(takesWeights, trees, System::currentTimeMillis);
    }

    AdaptiveMaker(boolean takesWeights, LongSupplier clockMillis) {
        this(takesWeights, true, clockMillis);
    }

    private AdaptiveMaker(boolean takesWeights, boolean trees, LongSupplier clockMillis) {
        this.takesWeights = takesWeights;
        this.trees = trees;
        this.clockMillis = clockMillis;
        this.local = new LocalWeights(mixer.weights(), clockMillis.getAsLong());
    }

    /** A copy of the mixer's weights as they stand now. */
    float[] weights() {
        return mixer.weights();
    }

    /** All of them learn into the same weights. */
    @Override
    public AdaptiveDrafter another(DraftPolicy next, long learnedAtMillis) {
        adopt(next, learnedAtMillis);
        return new AdaptiveDrafter(mixer, next, trees, DraftPart.ALL);
    }

    @Override
    public void requestBegins(boolean hurry) {
        mixer.hurry(hurry ? HURRY : 1);
        remember();
    }

    /** Notes the weights as they stand, if that is due: what is learned from now on is what a policy learned until now lacks. */
    void remember() {
        if (takesWeights && local.isDue(clockMillis.getAsLong())) {
            local.remember(clockMillis.getAsLong(), mixer.weights());
        }
    }

    private void adopt(DraftPolicy next, long learnedAtMillis) {
        remember();
        if (!next.equals(policy)) {
            takeWeights(next, learnedAtMillis);
            policy = next;
        }
    }

    private void takeWeights(DraftPolicy next, long learnedAtMillis) {
        if (takesWeights && speaksOfWeights(next, learnedAtMillis)) {
            mixer.set(local.take(next.effectiveWeights(), learnedAtMillis, clockMillis.getAsLong(), mixer.weights()));
        }
    }

    /** False for weights that this release does not understand, and where nobody has announced a policy. */
    private static boolean speaksOfWeights(DraftPolicy policy, long learnedAtMillis) {
        boolean announced = learnedAtMillis > 0 || !policy.equals(DraftPolicy.unannounced());
        return announced && (policy.bringsWeights() || policy.weights().length == 0);
    }
}
