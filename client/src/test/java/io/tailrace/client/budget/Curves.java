package io.tailrace.client.budget;

import io.tailrace.client.budget.SimulatedServing.Curve;
import io.tailrace.suffix.cost.CostCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Announced curves. */
final class Curves {
    private Curves() {}

    /** As a fleet would have measured it on batches of 1, 2, 4 and 8. */
    static CostCurve of(Curve nanos) {
        List<CostCurve.Point> points = new ArrayList<>();
        for (int batch = 1; batch <= 8; batch *= 2) {
            for (int tokens = batch; tokens <= 17 * batch; tokens++) {
                points.add(new CostCurve.Point(batch, tokens, nanos.nanos(tokens) / 1_000));
            }
        }
        return CostCurve.of(points);
    }

    /** Some points that rise along tokens and along batches, now steeply and now not. */
    static CostCurve random(Random random) {
        List<CostCurve.Point> points = new ArrayList<>();
        double base = 100 + random.nextInt(10_000);
        double steep = Math.pow(10, -3 + 3 * random.nextDouble()) * base;
        for (int batch = 1; batch <= 8; batch += 1 + random.nextInt(4)) {
            double micros = base + steep * batch;
            for (int tokens = batch; tokens <= 30 * batch; tokens += 1 + random.nextInt(5 * batch)) {
                micros += steep * random.nextInt(6);
                points.add(new CostCurve.Point(batch, tokens, micros));
            }
        }
        return CostCurve.of(points);
    }
}
