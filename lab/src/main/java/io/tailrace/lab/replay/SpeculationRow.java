package io.tailrace.lab.replay;

import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a speculation cache would have hidden under one strategy and budget, over all streams. */
public record SpeculationRow(StrategyChoice strategy, int budget, SimulatedSpeculation.Figures figures) {
    private record Key(StrategyChoice strategy, int budget) {}

    /** One row a strategy, budget, draft source and choice of endings; none where nothing was simulated. */
    public static List<SpeculationRow> of(List<ReplayRun.Done> done) {
        Map<Key, List<SimulatedSpeculation.Figures>> sums = new LinkedHashMap<>();
        for (ReplayRun.Done one : done) {
            sums.merge(new Key(one.run().strategy(), one.run().budget()), one.speculated(), SimulatedSpeculation::sum);
        }
        List<SpeculationRow> rows = new ArrayList<>();
        sums.forEach((key, figures) ->
                figures.forEach(figure -> rows.add(new SpeculationRow(key.strategy(), key.budget(), figure))));
        return rows;
    }
}
