package io.tailrace.suffix.cost;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The step-time curve that the workers of one class agree on.
 *
 * <p><b>No worker moves it alone.</b> A shape's figure is the median, over the workers, of what each of them found, however many steps each
 * reports. Where three workers or more are heard, a shape counts once three of them know it: of fewer, one that is wrong would decide it.
 * A worker knows a shape after {@value #STEPS_MIN} steps of it: engines prepare for a shape when it first comes, and such a step may take three times its time. It is heard once it knows half as many shapes as the middle one of them, so that a newcomer does not take from the curve what
 * only the others know yet. One worker's curve is its own; of two the figure is the geometric mean, and nothing protects them from each other.
 *
 * <p><b>Monotone.</b> More tokens never take less time. Medians that say so are noise, and {@link Monotone} pools them: in the logarithm, along
 * the tokens for each batch, then along the batches for each number of tokens.
 */
public final class AgreedCurve {
    /** So many outvote one. */
    private static final int WORKERS_AGREEING = 3;
    /** A worker knows a shape once it has made so many steps of it, each of which all requests of the batch report. */
    private static final int STEPS_MIN = 8;

    private AgreedCurve() {}

    /** Its points, batches ascending, tokens ascending within. */
    public static List<CostCurve.Point> points(Collection<CostFit> workers) {
        List<CostFit> heard = heard(workers);
        Map<Integer, List<CostFit.Median>> found = new HashMap<>();
        for (CostFit worker : heard) {
            worker.medians().forEach((shape, median) -> {
                if (median.steps() >= Math.min(STEPS_MIN * CostFit.batch(shape), CostFit.STEPS_KEPT / 2)) {
                    found.computeIfAbsent(shape, key -> new ArrayList<>()).add(median);
                }
            });
        }
        int workersMin = heard.size() < WORKERS_AGREEING ? 1 : WORKERS_AGREEING;
        Map<Integer, Map<Integer, double[]>> byBatch = new TreeMap<>();
        found.forEach((shape, medians) -> {
            if (medians.size() >= workersMin) {
                byBatch.computeIfAbsent(CostFit.batch(shape), batch -> new TreeMap<>())
                        .put(CostFit.tokens(shape), agreed(medians));
            }
        });
        return monotone(byBatch);
    }

    private static List<CostFit> heard(Collection<CostFit> workers) {
        int[] shapes = workers.stream()
                .mapToInt(worker -> worker.kept().size())
                .sorted()
                .toArray();
        int middle = shapes.length == 0 ? 0 : shapes[shapes.length / 2];
        return workers.stream()
                .filter(worker -> worker.kept().size() * 2 >= middle)
                .toList();
    }

    /** Logarithm of the step time, and the weight in steps, of which a worker that claims many has no more than the middle one. */
    private static double[] agreed(List<CostFit.Median> medians) {
        double micros =
                middle(medians.stream().mapToDouble(CostFit.Median::logMicros).toArray());
        double steps =
                middle(medians.stream().mapToDouble(CostFit.Median::steps).toArray());
        return new double[] {micros, steps * medians.size()};
    }

    private static double middle(double[] values) {
        Arrays.sort(values);
        int half = values.length / 2;
        return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }

    private static List<CostCurve.Point> monotone(Map<Integer, Map<Integer, double[]>> byBatch) {
        byBatch.values().forEach(row -> isotonic(new ArrayList<>(row.values())));
        alongBatches(byBatch);
        List<CostCurve.Point> points = new ArrayList<>();
        byBatch.forEach((batch, row) ->
                row.forEach((tokens, fitted) -> points.add(new CostCurve.Point(batch, tokens, Math.exp(fitted[0])))));
        return points;
    }

    private static void alongBatches(Map<Integer, Map<Integer, double[]>> byBatch) {
        Map<Integer, List<double[]>> byTokens = new TreeMap<>();
        byBatch.values()
                .forEach(row -> row.forEach((tokens, fitted) ->
                        byTokens.computeIfAbsent(tokens, t -> new ArrayList<>()).add(fitted)));
        byTokens.values().forEach(AgreedCurve::isotonic);
        byBatch.values().forEach(row -> isotonic(new ArrayList<>(row.values())));
    }

    /** Makes pairs of value and weight monotone in their values, in place. */
    static void isotonic(List<double[]> pairs) {
        Monotone monotone = new Monotone(pairs.size());
        double[] values = new double[pairs.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = pairs.get(i)[0];
            monotone.weigh(i, pairs.get(i)[1]);
        }
        monotone.pool(values, values.length);
        for (int i = 0; i < values.length; i++) {
            pairs.get(i)[0] = values[i];
        }
    }
}
