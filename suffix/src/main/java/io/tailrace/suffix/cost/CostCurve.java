package io.tailrace.suffix.cost;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What one verification step takes on one class of workers, drafting not included, by batch and verified tokens. Between measured points
 * it is linear, beyond them it goes on as between the last two; it never falls with more tokens. Immutable.
 *
 * <p>Verified tokens are always those of the <b>whole step</b>: one for each request of the batch, plus the draft tokens of all of them. So a
 * step without drafts verifies as many tokens as it has requests. A request's own share says nothing of a step's time where others
 * draft beside it. Outcomes, the job's fit, manifests and workers all mean this.
 */
public final class CostCurve {
    /** Nothing was measured yet: a step takes the same whatever it verifies. */
    public static final CostCurve UNKNOWN = new CostCurve(List.of());

    private final int[] batches;
    private final int[][] tokens;
    private final double[][] micros;

    /**
     * One measured point.
     *
     * @param batch requests in the verified batch, at least 1
     * @param verifiedTokens of the whole step: one for each request and their draft tokens
     * @param micros time of the step
     */
    public record Point(int batch, int verifiedTokens, double micros) {
        public Point {
            if (!isPoint(batch, verifiedTokens, micros)) {
                throw new IllegalArgumentException(
                        "a point has batch >= 1, verifiedTokens >= batch and finite micros >= 0, got %d, %d, %s"
                                .formatted(batch, verifiedTokens, micros));
            }
        }
    }

    /** Whether there can be such a step. */
    public static boolean isPoint(int batch, int verifiedTokens, double micros) {
        return batch >= 1 && verifiedTokens >= batch && micros >= 0 && Double.isFinite(micros);
    }

    private CostCurve(List<Point> points) {
        batches = points.stream().mapToInt(Point::batch).distinct().sorted().toArray();
        tokens = new int[batches.length][];
        micros = new double[batches.length][];
        for (int i = 0; i < batches.length; i++) {
            int batch = batches[i];
            List<Point> row = points.stream()
                    .filter(point -> point.batch() == batch)
                    .collect(Collectors.toMap(Point::verifiedTokens, point -> point, CostCurve::higher, TreeMap::new))
                    .values()
                    .stream()
                    .toList();
            tokens[i] = row.stream().mapToInt(Point::verifiedTokens).toArray();
            micros[i] = row.stream().mapToDouble(Point::micros).toArray();
            for (int k = 1; k < micros[i].length; k++) {
                micros[i][k] = Math.max(micros[i][k], micros[i][k - 1]);
            }
        }
    }

    private static Point higher(Point one, Point other) {
        return one.micros() >= other.micros() ? one : other;
    }

    /** A curve through these points; of several for the same shape the highest counts. */
    public static CostCurve of(List<Point> points) {
        return points.isEmpty() ? UNKNOWN : new CostCurve(points);
    }

    public boolean known() {
        return batches.length > 0;
    }

    /** How many shapes were measured. */
    public int points() {
        return Arrays.stream(tokens).mapToInt(row -> row.length).sum();
    }

    /** Time of a step in microseconds; 1 where nothing is known. */
    public double micros(int batch, int verifiedTokens) {
        if (batches.length == 0) {
            return 1;
        }
        int above = Arrays.binarySearch(batches, batch);
        if (above >= 0) {
            return along(tokens[above], micros[above], verifiedTokens);
        }
        above = -above - 1;
        if (above == 0 || above == batches.length) {
            int row = Math.min(above, batches.length - 1);
            return along(tokens[row], micros[row], verifiedTokens);
        }
        double low = along(tokens[above - 1], micros[above - 1], verifiedTokens);
        double high = along(tokens[above], micros[above], verifiedTokens);
        double share = (double) (batch - batches[above - 1]) / (batches[above] - batches[above - 1]);
        return low + share * (high - low);
    }

    private static double along(int[] at, double[] values, int wanted) {
        int last = at.length - 1;
        if (last == 0) {
            return values[0];
        }
        int above = Arrays.binarySearch(at, wanted);
        if (above >= 0) {
            return values[above];
        }
        above = Math.max(1, Math.min(last, -above - 1));
        double slope = (values[above] - values[above - 1]) / (at[above] - at[above - 1]);
        return Math.max(0, values[above] + slope * (wanted - at[above]));
    }
}
