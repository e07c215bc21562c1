package io.tailrace.cli.fleet;

import io.tailrace.schemas.Policy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.draft.SourceShares;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a policy's weights are shared out among source kinds, as {@link SourceShares} counts it.
 *
 * @param live by a kind's name, each 0 to 1; those of {@code shipped} where the policy has no weights of its own
 * @param shipped of the product's own weights
 * @param learned whether the policy has weights of its own
 */
public record SourceWeights(Map<String, Double> live, Map<String, Double> shipped, boolean learned) {
    /** Null: the weights are of a layout that this release does not know. */
    static SourceWeights of(Policy policy) {
        Map<String, Double> shipped = named(Mixer.defaults().weights());
        if (policy.getWeights().isEmpty()) {
            return new SourceWeights(shipped, shipped, false);
        }
        if (policy.getWeightsLayout() != Mixer.LAYOUT) {
            return null;
        }
        try {
            return new SourceWeights(named(array(policy.getWeights())), shipped, true);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static float[] array(List<Float> weights) {
        float[] array = new float[weights.size()];
        for (int i = 0; i < array.length; i++) {
            array[i] = weights.get(i);
        }
        return array;
    }

    private static Map<String, Double> named(float[] weights) {
        Map<SourceKind, Double> shares = SourceShares.of(weights);
        Map<String, Double> named = new LinkedHashMap<>();
        shares.forEach((kind, share) -> named.put(kind.label(), share));
        return named;
    }
}
