package io.tailrace.suffix.draft;

import static io.tailrace.suffix.draft.ReferenceDrafter.SCALARS;
import static io.tailrace.suffix.draft.ReferenceDrafter.VOTES;

import io.tailrace.suffix.draft.ReferenceDrafter.Choice;
import io.tailrace.suffix.draft.ReferenceDrafter.Spot;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The dull twin of {@link Mixer}: every input of every choice, one after the other, one gradient step for each set of weights, a rate for each weight. */
final class ReferenceMixer {
    private final float[][] byLength = new float[15][VOTES + SCALARS];
    private final float[][] byCrowd = new float[32][VOTES + SCALARS];
    private final float[][] byToken = new float[48][SCALARS];
    /** Of each set the sums of its gradients' squares. */
    private final IdentityHashMap<float[], float[]> squares = new IdentityHashMap<>();

    ReferenceMixer(float[] weights) {
        int at = 0;
        for (float[][] sets : List.of(byLength, byCrowd, byToken)) {
            for (float[] set : sets) {
                System.arraycopy(weights, at, set, 0, set.length);
                squares.put(set, new float[set.length]);
                Arrays.fill(squares.get(set), 25);
                at += set.length;
            }
        }
    }

    float[] weights() {
        float[] all = new float[47 * (VOTES + SCALARS) + 48 * SCALARS];
        int at = 0;
        for (float[][] sets : List.of(byLength, byCrowd, byToken)) {
            for (float[] set : sets) {
                System.arraycopy(set, 0, all, at, set.length);
                at += set.length;
            }
        }
        return all;
    }

    void judge(Spot spot) {
        shares(mean(spot), spot).forEach((choice, share) -> choice.probability = spot.probability * share);
    }

    private float[] mean(Spot spot) {
        float[] mean = new float[VOTES + SCALARS];
        for (int i = 0; i < mean.length; i++) {
            mean[i] = (byLength[spot.lengthSet][i] + byCrowd[spot.crowdSet][i]) * 0.5f;
        }
        return mean;
    }

    private Map<Choice, Float> shares(float[] weights, Spot spot) {
        Map<Choice, Float> odds = new LinkedHashMap<>();
        float sum = 1;
        for (Choice choice : spot.choices.values()) {
            float[] product = {0};
            spot.common.forEach((feature, value) -> product[0] += weights[feature] * value);
            choice.inputs.forEach((feature, value) -> product[0] += weights[feature] * value);
            float[] quarters = new float[4];
            for (int i = 0; i < SCALARS; i++) {
                quarters[i % 4] += choice.scalars[i] * (weights[VOTES + i] + byToken[choice.tokenSet][i]);
            }
            choice.said = product[0] + ((quarters[0] + quarters[1]) + (quarters[2] + quarters[3]));
            odds.put(choice, Features.exponential(choice.said));
            sum += odds.get(choice);
        }
        float whole = sum;
        spot.left = 1 / whole;
        odds.replaceAll((choice, share) -> share / whole);
        return odds;
    }

    /** Of each choice what came less its share, by the first set, the second, and both with the choice's own. */
    private Map<Choice, float[]> errors(Spot spot, int truth) {
        Map<Choice, float[]> errors = new LinkedHashMap<>();
        float[] sums = {1, 1, 1};
        for (Choice choice : spot.choices.values()) {
            float own = quarters(choice, byToken[choice.tokenSet], 0);
            float first = said(choice, spot, byLength[spot.lengthSet]);
            float second = said(choice, spot, byCrowd[spot.crowdSet]);
            float[] odds = {
                Features.exponential(first + own),
                Features.exponential(second + own),
                Features.exponential((first + second) * 0.5f + own)
            };
            errors.put(choice, odds);
            for (int i = 0; i < odds.length; i++) {
                sums[i] += odds[i];
            }
        }
        errors.forEach((choice, odds) -> {
            for (int i = 0; i < odds.length; i++) {
                odds[i] = (choice.token == truth ? 1 : 0) - odds[i] / sums[i];
            }
        });
        return errors;
    }

    private static float said(Choice choice, Spot spot, float[] weights) {
        float[] product = {0};
        spot.common.forEach((feature, value) -> product[0] += weights[feature] * value);
        choice.inputs.forEach((feature, value) -> product[0] += weights[feature] * value);
        return product[0] + quarters(choice, weights, VOTES);
    }

    private static float quarters(Choice choice, float[] weights, int from) {
        float[] quarters = new float[4];
        for (int i = 0; i < SCALARS; i++) {
            quarters[i % 4] += choice.scalars[i] * weights[from + i];
        }
        return (quarters[0] + quarters[1]) + (quarters[2] + quarters[3]);
    }

    /** Nothing is learned where nothing was judged. */
    void learn(Spot spot, int truth) {
        if (spot.choices.isEmpty()) {
            return;
        }
        Map<Choice, float[]> errors = errors(spot, truth);
        learn(byLength[spot.lengthSet], spot, errors, 0);
        learn(byCrowd[spot.crowdSet], spot, errors, 1);
        IdentityHashMap<float[], float[][]> own = new IdentityHashMap<>();
        errors.forEach((choice, error) -> {
            float[][] sums = own.computeIfAbsent(byToken[choice.tokenSet], set -> new float[2][SCALARS]);
            for (int i = 0; i < SCALARS; i++) {
                float gradient = error[2] * choice.scalars[i];
                sums[0][i] += gradient;
                sums[1][i] += gradient * gradient;
            }
        });
        own.forEach((weights, sums) -> {
            for (int i = 0; i < SCALARS; i++) {
                step(weights, i, sums[0][i], sums[1][i]);
            }
        });
    }

    private void learn(float[] weights, Spot spot, Map<Choice, float[]> errors, int by) {
        float[] gradient = new float[weights.length];
        float[] sum = new float[1];
        errors.forEach((choice, error) -> {
            sum[0] += error[by];
            choice.inputs.forEach((feature, value) -> gradient[feature] += error[by] * value);
            for (int i = 0; i < SCALARS; i++) {
                gradient[VOTES + i] += error[by] * choice.scalars[i];
            }
        });
        spot.common.forEach((feature, value) -> gradient[feature] += sum[0] * value);
        for (int i = 0; i < weights.length; i++) {
            if (i >= VOTES || spot.common.containsKey(i)) {
                step(weights, i, gradient[i], gradient[i] * gradient[i]);
            }
        }
    }

    /** At 0.08 by the root of its gradients' squares, of which the excess over 25 fades. */
    private void step(float[] weights, int weight, float gradient, float square) {
        float[] sums = squares.get(weights);
        sums[weight] += square - 0.0002f * (sums[weight] - 25);
        weights[weight] += 0.08f * gradient / (float) Math.sqrt(sums[weight]);
    }
}
