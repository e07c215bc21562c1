package io.tailrace.operators.outcomes;

import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.cost.CostFit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A lane's cost fits, by worker class. */
public final class CostState {
    static final int CLASSES_MAX = 32;

    /** What each class's fit keeps. */
    public Map<String, ClassCosts> kept = new HashMap<>();

    /** What the fit of one worker class keeps. */
    public static final class ClassCosts {
        /** By shape, pairs of bucket and count. */
        public Map<Integer, float[]> histograms = new HashMap<>();
    }

    void add(StepCost cost) {
        if (kept.size() >= CLASSES_MAX && !kept.containsKey(cost.workerClass())) {
            return;
        }
        new CostFit(kept.computeIfAbsent(cost.workerClass(), name -> new ClassCosts()).histograms)
                .add(cost.batch(), cost.verifiedTokens(), cost.steps(), cost.micros());
    }

    /** The points of the fitted curves. */
    List<StepCost> fitted() {
        List<StepCost> points = new ArrayList<>();
        new TreeMap<>(kept).forEach((workerClass, costs) -> {
            for (CostCurve.Point point : new CostFit(costs.histograms).points()) {
                points.add(new StepCost(workerClass, point.batch(), point.verifiedTokens(), 1, point.micros()));
            }
        });
        return points;
    }
}
