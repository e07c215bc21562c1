package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Drafts of one line of tokens, which is what stock engines verify. */
final class LineDrafts {
    private static final String DEFAULT_STRATEGY = "adaptive";
    private static final String TREE = "tree";

    private LineDrafts() {}

    /** Whether a strategy is the one that drafts for stock engines. */
    static boolean isForEngines(StrategyChoice strategy) {
        return strategy.strategy().name().equals(DEFAULT_STRATEGY);
    }

    /** Whether it is, but its drafts are trees. */
    static boolean draftsTrees(StrategyChoice strategy) {
        return isForEngines(strategy) && strategy.settings(new float[0]).flag(TREE, true);
    }

    /** The runs behind a row, with drafts of one line; none where they are that anyway, or nothing is drafted. */
    static List<ReplayRun> runs(List<ReplayRun> runs, ReplayRow row) {
        if (!draftsTrees(row.strategy()) || row.budget() == 0) {
            return List.of();
        }
        StrategyChoice line = inOneLine(row.strategy());
        return runs.stream()
                .filter(run -> run.budget() == row.budget() && run.strategy().equals(row.strategy()))
                .map(run -> new ReplayRun(run.stream(), line, run.weights(), run.budget(), run.protocol()))
                .toList();
    }

    private static StrategyChoice inOneLine(StrategyChoice strategy) {
        Map<String, String> parameters = new TreeMap<>(strategy.parameters());
        parameters.put(TREE, "false");
        return StrategyChoice.parse(parameters.entrySet().stream()
                .map(each -> ":" + each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining("", strategy.strategy().name(), "")));
    }
}
