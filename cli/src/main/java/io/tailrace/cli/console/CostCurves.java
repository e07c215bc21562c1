package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Chart;
import io.tailrace.cli.console.Page.Grid;
import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.console.Page.Series;
import io.tailrace.cli.fleet.Shown;
import io.tailrace.schemas.CostPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a step costs, by worker class: the curves that workers draft by. */
final class CostCurves {
    private CostCurves() {}

    static Section section(List<CostPoint> points) {
        List<CostPoint> ordered = points.stream()
                .sorted(Comparator.comparing(CostPoint::getWorkerClass)
                        .thenComparing(CostPoint::getBatch)
                        .thenComparing(CostPoint::getVerifiedTokens))
                .toList();
        Grid table = new Grid("Cost curves", "worker class", "batch", "verified tokens", "step, ms");
        Map<String, List<List<? extends Number>>> curves = new TreeMap<>();
        for (CostPoint point : ordered) {
            String name = Shown.text(point.getWorkerClass());
            double millis = point.getMicros() / 1_000.0;
            table.row(name, point.getBatch(), point.getVerifiedTokens(), millis);
            curves.computeIfAbsent("%s, batch %d".formatted(name, point.getBatch()), unknown -> new ArrayList<>())
                    .add(List.of(point.getVerifiedTokens(), Double.isFinite(millis) ? millis : 0));
        }
        Section section = Section.of(
                "Cost curve by worker class",
                "What a step takes, drafting not included, by the tokens that it verifies for its whole batch: the newest version's. "
                        + (points.isEmpty()
                                ? "It has none: the job fits one once workers of a class have told enough step times."
                                : ""),
                table);
        List<Series> series = new ArrayList<>();
        curves.forEach((name, values) -> series.add(new Series(name, values)));
        return points.isEmpty()
                ? section
                : section.with(Chart.curve("Cost of a step", "verified tokens", "ms", series));
    }
}
