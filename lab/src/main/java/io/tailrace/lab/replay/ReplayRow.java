package io.tailrace.lab.replay;

import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of one workload under one strategy and budget, over all streams that have it.
 *
 * @param workload its name, or {@link #POOLED}
 * @param all the counted requests
 * @param withoutRepeats but for those whose response was given before, token for token
 */
public record ReplayRow(
        String workload, StrategyChoice strategy, int budget, ReplayTally all, ReplayTally withoutRepeats) {
    /** In place of a workload's name: all of them, each step counted once. */
    public static final String POOLED = "pooled";

    private record Key(String workload, StrategyChoice strategy, int budget) {}

    /** One row a workload, strategy and budget, in the order in which they come. */
    public static List<ReplayRow> of(List<ReplayRun.Done> done) {
        Map<Key, ReplayRow> rows = new LinkedHashMap<>();
        for (ReplayRun.Done one : done) {
            one.result().byWorkload().forEach((workload, tally) -> {
                ReplayTally firsts = one.result().withoutRepeats().getOrDefault(workload, new ReplayTally());
                row(rows, workload, one.run()).add(tally, firsts);
            });
        }
        return List.copyOf(rows.values());
    }

    /** One row a strategy and budget, over all workloads. */
    public static List<ReplayRow> pooled(List<ReplayRow> rows) {
        Map<Key, ReplayRow> pooled = new LinkedHashMap<>();
        for (ReplayRow row : rows) {
            row(pooled, POOLED, row.strategy(), row.budget()).add(row.all(), row.withoutRepeats());
        }
        return new ArrayList<>(pooled.values());
    }

    private void add(ReplayTally tally, ReplayTally firsts) {
        all.add(tally);
        withoutRepeats.add(firsts);
    }

    private static ReplayRow row(Map<Key, ReplayRow> rows, String workload, ReplayRun run) {
        return row(rows, workload, run.strategy(), run.budget());
    }

    private static ReplayRow row(Map<Key, ReplayRow> rows, String workload, StrategyChoice strategy, int budget) {
        return rows.computeIfAbsent(
                new Key(workload, strategy, budget),
                key -> new ReplayRow(workload, strategy, budget, new ReplayTally(), new ReplayTally()));
    }
}
