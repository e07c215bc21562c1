package io.tailrace.lab.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * What verifying more tokens costs: how long a step takes by all the tokens that are verified in it, whichever request's they
 * are, relative to a step with one token. Straight lines between points; the last line goes on. Somebody's assumption, for
 * estimating a speed-up from recordings; what a worker measured of its own model is
 * {@link io.tailrace.suffix.cost.CostCurve}, in microseconds and by batch.
 *
 * @param points verified tokens and relative time, tokens rising, the first at 1 token with time 1
 * @param batch requests that share a step, at least 1
 */
public record AssumedCost(List<Point> points, int batch) {
    /**
     * A step reads all weights once, and computes with them once for each token. The first sets the pace up to the balance of
     * the device: operations a second over bytes a second, with weights of two bytes. By data sheets that is 153 tokens on an
     * A100 (312 TFLOPS, 2.04 TB/s) and 295 on an H100 (989 TFLOPS, 3.35 TB/s). This curve has 150 tokens, where a step takes
     * 1.3 times as long as with one, since reading and computing do not overlap perfectly; from there on each token takes its
     * share of the computing, 1/150.
     */
    public static final String DEFAULT = "1:1,150:1.3,300:2.3";

    /** So many verified tokens take so many times as long as one. */
    public record Point(int tokens, double time) {}

    public AssumedCost {
        points = List.copyOf(points);
        if (points.isEmpty() || points.get(0).tokens() != 1 || points.get(0).time() != 1) {
            throw new IllegalArgumentException("a cost curve begins with 1:1, got " + points);
        }
        if (batch < 1) {
            throw new IllegalArgumentException("at least 1 request is in a step, got " + batch);
        }
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).tokens() <= points.get(i - 1).tokens()
                    || !(points.get(i).time() >= points.get(i - 1).time())) {
                throw new IllegalArgumentException("a cost curve rises from point to point, got " + points);
            }
        }
    }

    /** Reads {@code TOKENS:TIME,...}, for steps of one request. */
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
        return new AssumedCost(points, 1);
    }

    /** The same device with so many requests in a step. */
    public AssumedCost sharedBy(int requests) {
        return new AssumedCost(points, requests);
    }

    /** How many times as long a step takes in which each request verifies so many tokens beside its own. */
    public double slowDown(int drafted) {
        return time((double) batch * (1 + drafted)) / time(batch);
    }

    /** Relative time of a step that verifies so many tokens in all, at least 1; a fraction is a mean. */
    public double time(double tokens) {
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
