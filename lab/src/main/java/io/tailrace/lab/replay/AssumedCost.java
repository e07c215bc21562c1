package io.tailrace.lab.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * What verifying more tokens in one step costs, relative to a step with one token: straight lines between points, the last
 * line goes on. Somebody's assumption, for estimating a speed-up from recordings; what a worker measured of its own model is
 * {@link io.tailrace.suffix.cost.CostCurve}, in microseconds and by batch.
 *
 * @param points verified tokens and relative time, tokens rising, the first at 1 token with time 1
 */
public record AssumedCost(List<Point> points) {
    /** Each further token costs a hundredth of a one-token step: an assumption, for a model limited by memory bandwidth. */
    public static final String DEFAULT = "1:1,65:1.64";

    /** So many verified tokens take so many times as long as one. */
    public record Point(int tokens, double time) {}

    public AssumedCost {
        points = List.copyOf(points);
        if (points.isEmpty() || points.get(0).tokens() != 1 || points.get(0).time() != 1) {
            throw new IllegalArgumentException("a cost curve begins with 1:1, got " + points);
        }
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).tokens() <= points.get(i - 1).tokens()
                    || !(points.get(i).time() >= points.get(i - 1).time())) {
                throw new IllegalArgumentException("a cost curve rises from point to point, got " + points);
            }
        }
    }

    /** Reads {@code TOKENS:TIME,...}. */
    public static AssumedCost parse(String text) {
        List<Point> points = new ArrayList<>();
        for (String point : text.split(",", -1)) {
            String[] pair = point.split(":", -1);
            try {
                points.add(new Point(Integer.parseInt(pair[0]), Double.parseDouble(pair[1])));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException("a point of a cost curve is TOKENS:TIME, got " + point, e);
            }
        }
        return new AssumedCost(points);
    }

    /** Relative time of a step that verifies so many tokens, at least 1. */
    public double time(int tokens) {
        if (points.size() == 1) {
            return 1;
        }
        int i = 1;
        while (i < points.size() - 1 && points.get(i).tokens() < tokens) {
            i++;
        }
        Point from = points.get(i - 1);
        Point to = points.get(i);
        return from.time() + (to.time() - from.time()) * (tokens - from.tokens()) / (to.tokens() - from.tokens());
    }
}
