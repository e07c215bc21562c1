package io.tailrace.suffix.draft;

import java.util.Arrays;
import java.util.Objects;

/**
 * The numbers a snapshot brings for drafting.
 *
 * @param enabled false: nothing is drafted
 * @param budgetMax upper limit of draft tokens a verification, 0 to 64
 * @param probabilityFloor no node below this path probability is drafted
 * @param weightsLayout layout of the weights, {@link Mixer#LAYOUT}; 0 with no weights
 * @param weights mixer weights; empty: the product's defaults
 */
public record DraftPolicy(boolean enabled, int budgetMax, float probabilityFloor, int weightsLayout, float[] weights) {
    /** Most nodes a draft can have. */
    public static final int BUDGET_MAX = 64;

    /**
     * Checks the limits.
     *
     * @param enabled false: nothing is drafted
     * @param budgetMax upper limit of draft tokens a verification, 0 to 64
     * @param probabilityFloor no node below this path probability is drafted
     * @param weightsLayout layout of the weights, {@link Mixer#LAYOUT}; 0 with no weights
     * @param weights mixer weights; empty: the product's defaults
     */
    public DraftPolicy {
        if (budgetMax < 0 || budgetMax > BUDGET_MAX) {
            throw new IllegalArgumentException("budgetMax must be in [0, " + BUDGET_MAX + "], got " + budgetMax);
        }
        if (!(probabilityFloor >= 0 && probabilityFloor <= 1)) {
            throw new IllegalArgumentException("probabilityFloor must be in [0, 1], got " + probabilityFloor);
        }
    }

    /** By what the weights are, not by who holds them: each snapshot brings an array of its own. */
    @Override
    public boolean equals(Object other) {
        return other instanceof DraftPolicy that
                && enabled == that.enabled
                && budgetMax == that.budgetMax
                && Float.compare(probabilityFloor, that.probabilityFloor) == 0
                && weightsLayout == that.weightsLayout
                && Arrays.equals(weights, that.weights);
    }

    @Override
    public int hashCode() {
        return Objects.hash(enabled, budgetMax, probabilityFloor, weightsLayout, Arrays.hashCode(weights));
    }

    /**
     * False if nothing is drafted, by whichever of the two limits.
     *
     * @return false if so
     */
    public boolean drafts() {
        return enabled && budgetMax > 0;
    }

    /**
     * True if these are weights that this release understands; a policy without such drafts with the product's.
     *
     * @param weightsLayout the layout that they say they have
     * @param weights of a mixer
     * @return true if so
     */
    public static boolean understands(int weightsLayout, float[] weights) {
        return weightsLayout == Mixer.LAYOUT && weights.length > 0;
    }

    /**
     * True if it brings weights that this release understands.
     *
     * @return true if so
     */
    public boolean bringsWeights() {
        return understands(weightsLayout, weights);
    }

    /**
     * The weights that drafting with it begins with: its own, or the product's.
     *
     * @return weights of {@link Mixer#LAYOUT}
     */
    public float[] effectiveWeights() {
        return bringsWeights() ? weights : Mixer.defaults().weights();
    }

    /**
     * Checks how many tokens somebody wants drafted.
     *
     * @param budget how many
     */
    public static void requireBudget(int budget) {
        if (budget < 0 || budget > BUDGET_MAX) {
            throw new IllegalArgumentException("budget must be in [0, " + BUDGET_MAX + "], got " + budget);
        }
    }

    /**
     * Enabled, budget 16, floor 0.003, default weights.
     *
     * @return the policy
     */
    public static DraftPolicy defaults() {
        return new DraftPolicy(true, 16, 0.003f, 0, new float[0]);
    }

    /**
     * Where nobody has announced a policy, whoever drafts says how much: as {@link #defaults}, with the largest budget.
     *
     * @return the policy
     */
    public static DraftPolicy unannounced() {
        DraftPolicy defaults = defaults();
        return new DraftPolicy(
                defaults.enabled, BUDGET_MAX, defaults.probabilityFloor, defaults.weightsLayout, defaults.weights);
    }
}
