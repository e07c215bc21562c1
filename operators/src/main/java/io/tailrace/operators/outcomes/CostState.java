package io.tailrace.operators.outcomes;

import io.tailrace.suffix.cost.AgreedCurve;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.cost.CostFit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * A lane's cost fits, by worker class and worker; each class's curve is what its workers agree on. Both have places, which only those take
 * that are there first, or after one that was silent for an hour: who invents names drives nobody out.
 */
public final class CostState {
    static final int CLASSES_MAX = 32;
    /** Enough for a median; more would be as many times the state. */
    static final int WORKERS_MAX = 9;

    /** Points of all classes' curves: each manifest repeats them, with the class's name. */
    static final int POINTS_MAX = 4_096;
    /** Each worker has room for so many shapes, ... */
    static final int SHAPES_SURE = 24;
    /** ... and for more while all have no more than this beyond. A shape takes half a KiB at most, in every checkpoint. */
    static final int SHAPES_SHARED = 8_192;

    static final long SILENT_MILLIS = Duration.ofHours(1).toMillis();

    /** What each class's workers found. */
    public Map<String, ClassCosts> kept = new HashMap<>();

    /** What the workers of one class found. */
    public static final class ClassCosts {
        /** By name. */
        public Map<String, WorkerCosts> workers = new HashMap<>();

        private long heardAt() {
            return workers.values().stream()
                    .mapToLong(worker -> worker.heardAt)
                    .max()
                    .orElse(0);
        }

        /** A worker that has gone says nothing of those that are there; while none is, all count. */
        private List<CostFit> fits() {
            long since = heardAt() - SILENT_MILLIS;
            return workers.values().stream()
                    .filter(worker -> worker.heardAt >= since)
                    .map(worker -> new CostFit(worker.histograms))
                    .toList();
        }
    }

    /** What one worker found. */
    public static final class WorkerCosts {
        /** By shape, pairs of bucket and count. */
        public Map<Integer, float[]> histograms = new HashMap<>();
        /** When it reported last, by the job's clock. */
        public long heardAt;

        private int sharedShapes() {
            return Math.max(0, histograms.size() - SHAPES_SURE);
        }
    }

    void add(RequestOutcome outcome, long nowMillis) {
        int free = SHAPES_SHARED;
        for (ClassCosts costs : kept.values()) {
            for (WorkerCosts worker : costs.workers.values()) {
                worker.heardAt = Math.min(worker.heardAt, nowMillis); // a clock may have been set back
                free -= worker.sharedShapes();
            }
        }
        for (LaneOutcome.StepCost cost : outcome.costs()) {
            WorkerCosts worker = worker(cost.workerClass(), outcome.worker(), nowMillis);
            if (worker != null) {
                worker.heardAt = nowMillis;
                int before = worker.sharedShapes();
                new CostFit(worker.histograms, SHAPES_SURE + before + free)
                        .add(cost.batch(), cost.verifiedTokens(), cost.steps(), cost.micros());
                free -= worker.sharedShapes() - before;
            }
        }
    }

    /** Null if there is no place for it. */
    private WorkerCosts worker(String workerClass, String worker, long nowMillis) {
        if (!hasPlace(kept, workerClass, CLASSES_MAX, ClassCosts::heardAt, nowMillis)) {
            return null;
        }
        Map<String, WorkerCosts> workers = kept.computeIfAbsent(workerClass, name -> new ClassCosts()).workers;
        return hasPlace(workers, worker, WORKERS_MAX, costs -> costs.heardAt, nowMillis)
                ? workers.computeIfAbsent(worker, name -> new WorkerCosts())
                : null;
    }

    /** True if it has one or there is one, which who was silent longest may have had to give up. */
    private static <T> boolean hasPlace(
            Map<String, T> places, String name, int max, ToLongFunction<T> heardAt, long nowMillis) {
        if (places.containsKey(name) || places.size() < max) {
            return true;
        }
        String silent = null;
        long silentSince = nowMillis - SILENT_MILLIS;
        for (Map.Entry<String, T> place : places.entrySet()) {
            long at = heardAt.applyAsLong(place.getValue());
            if (at < silentSince) {
                silent = place.getKey();
                silentSince = at;
            }
        }
        return silent != null && places.remove(silent) != null;
    }

    /** The points of the classes' curves; where they are more than {@link #POINTS_MAX}, each class has as many at most as all have on average. */
    List<LaneOutcome.StepCost> fitted() {
        Map<String, List<CostCurve.Point>> curves = new TreeMap<>();
        kept.forEach((workerClass, costs) -> curves.put(workerClass, AgreedCurve.points(costs.fits())));
        boolean areFew = curves.values().stream().mapToInt(List::size).sum() <= POINTS_MAX;
        int most = areFew ? POINTS_MAX : POINTS_MAX / curves.size();
        List<LaneOutcome.StepCost> points = new ArrayList<>();
        curves.forEach((workerClass, curve) -> {
            int shown = Math.min(curve.size(), most);
            for (int i = 0; i < shown; i++) {
                CostCurve.Point point = curve.get((int) ((long) i * curve.size() / shown));
                points.add(new LaneOutcome.StepCost(
                        workerClass, point.batch(), point.verifiedTokens(), 1, point.micros()));
            }
        });
        return points;
    }
}
