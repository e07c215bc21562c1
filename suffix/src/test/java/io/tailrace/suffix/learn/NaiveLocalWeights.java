package io.tailrace.suffix.learn;

import java.util.ArrayList;
import java.util.List;

/** {@link LocalWeights} of one weight, done dully: each policy with the list of all steps learned on top of it. */
final class NaiveLocalWeights {
    private final int heldMax;
    /** The one in place last. */
    private final List<Held> held = new ArrayList<>();

    private record Step(long atMillis, float change) {}

    private record Held(float policy, long learnedAt, List<Step> steps) {
        float now() {
            return policy + sum(steps);
        }

        /** What was learned at that time or later. */
        List<Step> since(long millis) {
            return steps.stream().filter(step -> step.atMillis >= millis).toList();
        }

        float stoodAt(long millis) {
            return now() - sum(since(millis));
        }
    }

    NaiveLocalWeights(float first, int heldMax) {
        this.heldMax = heldMax;
        held.add(new Held(first, Long.MIN_VALUE, new ArrayList<>()));
    }

    private static float sum(List<Step> steps) {
        return (float) steps.stream().mapToDouble(Step::change).sum();
    }

    private Held inPlace() {
        return held.get(held.size() - 1);
    }

    float now() {
        return inPlace().now();
    }

    void learn(long atMillis, float change) {
        inPlace().steps.add(new Step(atMillis, change));
    }

    void take(float policy, long learnedAt) {
        if (inPlace().policy == policy) {
            return;
        }
        Held taken = null;
        for (Held each : held) {
            taken = each.policy == policy ? each : taken;
        }
        if (taken == null) {
            taken = new Held(policy, learnedAt, new ArrayList<>(sinceForerunner(policy, learnedAt)));
        }
        held.remove(taken);
        held.add(taken);
        if (held.size() > heldMax) {
            held.remove(0);
        }
    }

    private List<Step> sinceForerunner(float policy, long learnedAt) {
        List<Held> earlier =
                held.stream().filter(each -> each.learnedAt <= learnedAt).toList();
        Held forerunner = null;
        for (int i = earlier.size() - 1; i >= 0; i--) {
            Held each = earlier.get(i);
            float best = forerunner == null ? Float.POSITIVE_INFINITY : off(forerunner, policy, learnedAt);
            if (best > 0.5f && 2 * off(each, policy, learnedAt) < best) {
                forerunner = each;
            }
        }
        return forerunner == null ? List.of() : forerunner.since(learnedAt);
    }

    private static float off(Held each, float policy, long millis) {
        return Math.abs(policy - each.stoodAt(millis));
    }
}
