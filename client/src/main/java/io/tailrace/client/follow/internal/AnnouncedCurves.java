package io.tailrace.client.follow.internal;

import io.tailrace.schemas.CostPoint;
import io.tailrace.suffix.cost.CostCurve;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a manifest's cost curves. What cannot be is left out: a curve must not cost a lane its snapshot. A batch of which a point has fewer
 * tokens than requests is left out whole: a job of an older release counted one request's tokens there, not the step's.
 */
final class AnnouncedCurves {
    private AnnouncedCurves() {}

    /** Curves by worker class. */
    static Map<String, CostCurve> of(List<CostPoint> announced) {
        Set<Row> foreign = new HashSet<>();
        for (CostPoint point : announced) {
            if (point.getVerifiedTokens() < point.getBatch()) {
                foreign.add(Row.of(point));
            }
        }
        Map<String, List<CostCurve.Point>> points = new HashMap<>();
        for (CostPoint point : announced) {
            boolean isPoint = CostCurve.isPoint(point.getBatch(), point.getVerifiedTokens(), point.getMicros());
            if (isPoint && !foreign.contains(Row.of(point))) {
                points.computeIfAbsent(point.getWorkerClass(), name -> new ArrayList<>())
                        .add(new CostCurve.Point(point.getBatch(), point.getVerifiedTokens(), point.getMicros()));
            }
        }
        Map<String, CostCurve> curves = new HashMap<>();
        points.forEach((workerClass, all) -> curves.put(workerClass, CostCurve.of(all)));
        return curves;
    }

    private record Row(String workerClass, int batch) {
        static Row of(CostPoint point) {
            return new Row(point.getWorkerClass(), point.getBatch());
        }
    }
}
