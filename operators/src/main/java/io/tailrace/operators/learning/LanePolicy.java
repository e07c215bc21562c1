package io.tailrace.operators.learning;

import io.tailrace.schemas.CostPoint;
import io.tailrace.schemas.Policy;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A policy as a lane's publisher keeps it.
 *
 * @param number which policy of the lane this is; 0: the defaults
 * @param learnedAt what the weights were learned from was completed before, epoch milliseconds
 * @param evidence labelled places that they were learned from
 */
public record LanePolicy(
        long number,
        boolean enabled,
        int budgetMax,
        float probabilityFloor,
        int weightsLayout,
        float[] weights,
        long learnedAt,
        long evidence) {
    private static final float[] NO_WEIGHTS = {};

    /** What a lane begins with: the product's defaults. */
    public static LanePolicy defaults() {
        DraftPolicy defaults = DraftPolicy.defaults();
        return new LanePolicy(
                0,
                defaults.enabled(),
                defaults.budgetMax(),
                defaults.probabilityFloor(),
                defaults.weightsLayout(),
                defaults.weights(),
                0,
                0);
    }

    /** The same under another number. */
    public LanePolicy withNumber(long other) {
        return new LanePolicy(other, enabled, budgetMax, probabilityFloor, weightsLayout, weights, learnedAt, evidence);
    }

    /** How much it drafts, in words. */
    String limitsInWords() {
        return enabled ? "budget %d, floor %s".formatted(budgetMax, Float.toString(probabilityFloor)) : "no drafts";
    }

    /** False: whoever gave it spoke of limits only, or it is a lane's first, of the product's weights. */
    public boolean bringsWeights() {
        return weights.length > 0;
    }

    /** These limits with the other one's weights, and where those are from. */
    public LanePolicy withWeightsOf(LanePolicy other) {
        return new LanePolicy(
                number,
                enabled,
                budgetMax,
                probabilityFloor,
                other.weightsLayout,
                other.weights,
                other.learnedAt,
                other.evidence);
    }

    /** A policy with learned weights, and the limits of this one. */
    public LanePolicy learned(long nextNumber, float[] learnedWeights, long learnedBefore, long places) {
        return new LanePolicy(
                nextNumber, enabled, budgetMax, probabilityFloor, Mixer.LAYOUT, learnedWeights, learnedBefore, places);
    }

    /**
     * A policy that was given; without weights it is up to whoever takes it which it has.
     *
     * @throws IllegalArgumentException if a number is out of its bounds or the weights are not of this release's layout
     */
    public static LanePolicy given(Policy policy, long nextNumber, long nowMillis) {
        float[] weights = weights(policy);
        DraftPolicy checked = new DraftPolicy(
                policy.getEnabled(),
                policy.getBudgetMax(),
                policy.getProbabilityFloor(),
                policy.getWeightsLayout(),
                weights);
        if (weights.length > 0) {
            Mixer.of(weights);
        }
        return new LanePolicy(
                nextNumber,
                checked.enabled(),
                checked.budgetMax(),
                checked.probabilityFloor(),
                weights.length == 0 ? 0 : Mixer.LAYOUT,
                weights,
                nowMillis,
                0);
    }

    /** The weights of a record. */
    public static float[] weights(Policy policy) {
        List<Float> given = policy.getWeights();
        float[] weights = new float[given.size()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = given.get(i);
        }
        return weights;
    }

    /** How much is drafted with it, without its weights; equal where that is. */
    public DraftPolicy limits() {
        return new DraftPolicy(enabled, budgetMax, probabilityFloor, 0, NO_WEIGHTS);
    }

    /** The weights that drafting with this policy begins with. */
    public float[] effectiveWeights() {
        return DraftPolicy.understands(weightsLayout, weights)
                ? weights
                : Mixer.defaults().weights();
    }

    /** As a manifest carries it. */
    public Policy toRecord(List<CostPoint> costCurve) {
        List<Float> list = new ArrayList<>(weights.length);
        for (float weight : weights) {
            list.add(weight);
        }
        return new Policy(
                enabled,
                budgetMax,
                probabilityFloor,
                weightsLayout,
                list,
                costCurve,
                number,
                Instant.ofEpochMilli(learnedAt),
                evidence);
    }
}
