package io.tailrace.client.budget;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The dull twin of {@link StepCosts} as long as no cell has more than nine times: every time is kept, every question
 * computes everything from the definition. It answers for batches that were measured.
 */
final class NaiveCosts {
    private static final double LINE_SAMPLES = 8;
    private static final double STALE_STEPS = 1_024;

    private final Map<Integer, Map<Integer, Cell>> rows = new TreeMap<>();
    private int steps;

    private static final class Cell {
        final List<Long> nanos = new ArrayList<>();
        final List<Integer> tokens = new ArrayList<>();
        int last;

        /** Its times, counted for less the longer ago the last one was. */
        double samples(int step) {
            return nanos.size() / (1 + (step - last) / STALE_STEPS);
        }

        double median() {
            List<Long> sorted = new ArrayList<>(nanos);
            Collections.sort(sorted);
            return sorted.get((sorted.size() - 1) / 2);
        }

        double meanTokens() {
            return tokens.stream().mapToInt(Integer::intValue).average().orElseThrow();
        }
    }

    void add(int batch, int tokens, long nanos) {
        Cell cell = rows.computeIfAbsent(batch, row -> new TreeMap<>())
                .computeIfAbsent(StepCosts.cell(tokens - batch), each -> new Cell());
        cell.last = ++steps;
        cell.nanos.add(nanos);
        cell.tokens.add(tokens);
    }

    int samples(int batch, int tokens) {
        Cell cell = rows.getOrDefault(batch, Map.of()).get(StepCosts.cell(tokens - batch));
        return cell == null ? 0 : cell.nanos.size();
    }

    double nanos(int batch, int tokens) {
        List<double[]> points = straightened(new TreeMap<>(rows.get(batch)));
        return read(points, pooled(points), tokens);
    }

    /** Tokens, value and weight, by the normal equations of the line and each cell's share of it. */
    private List<double[]> straightened(NavigableMap<Integer, Cell> row) {
        double n = 0;
        double x = 0;
        double y = 0;
        double xx = 0;
        double xy = 0;
        for (Cell cell : row.values()) {
            double weight = cell.samples(steps);
            n += weight;
            x += weight * cell.meanTokens();
            y += weight * cell.median();
            xx += weight * cell.meanTokens() * cell.meanTokens();
            xy += weight * cell.meanTokens() * cell.median();
        }
        double slope = row.size() == 1 ? 0 : Math.max(0, (n * xy - x * y) / (n * xx - x * x));
        List<double[]> points = new ArrayList<>();
        for (Cell cell : row.values()) {
            double weight = cell.samples(steps);
            double line = (y - slope * x) / n + slope * cell.meanTokens();
            double value = (weight * cell.median() + LINE_SAMPLES * line) / (weight + LINE_SAMPLES);
            points.add(new double[] {cell.meanTokens(), row.size() == 1 ? cell.median() : value, cell.nanos.size()});
        }
        return points;
    }

    /** Minimax formula of isotonic regression. */
    private static double[] pooled(List<double[]> points) {
        double[] fitted = new double[points.size()];
        for (int i = 0; i < fitted.length; i++) {
            fitted[i] = Double.NEGATIVE_INFINITY;
            for (int from = 0; from <= i; from++) {
                double least = Double.POSITIVE_INFINITY;
                double sum = 0;
                double weight = 0;
                for (int to = from; to < fitted.length; to++) {
                    sum += points.get(to)[1] * points.get(to)[2];
                    weight += points.get(to)[2];
                    least = to < i ? least : Math.min(least, sum / weight);
                }
                fitted[i] = Math.max(fitted[i], least);
            }
        }
        return fitted;
    }

    private static double read(List<double[]> points, double[] values, double tokens) {
        int last = values.length - 1;
        if (last == 0 || tokens <= points.get(0)[0]) {
            return values[0];
        }
        for (int right = 1; right <= last; right++) {
            double from = points.get(right - 1)[0];
            double to = points.get(right)[0];
            if (tokens <= to) {
                return values[right - 1] + (tokens - from) / (to - from) * (values[right] - values[right - 1]);
            }
        }
        double slope = (values[last] - values[0]) / (points.get(last)[0] - points.get(0)[0]);
        return values[last] + slope * (tokens - points.get(last)[0]);
    }
}
