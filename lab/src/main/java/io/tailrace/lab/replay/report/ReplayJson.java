package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.OverlapSimulation;
import io.tailrace.lab.replay.Reliability;
import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayTally;
import io.tailrace.lab.replay.SimulatedSpeculation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows for programs. */
public final class ReplayJson {
    private ReplayJson() {}

    /** Each row as {@code {workload, strategy, budget, steps, tokensPerStep, ..., draftMicros: {p50, p99}, ...}}. */
    public static List<Map<String, Object>> runs(List<ReplayRow> rows, AssumedCost cost) {
        return rows.stream().map(row -> run(row, cost)).toList();
    }

    private static Map<String, Object> run(ReplayRow row, AssumedCost cost) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("workload", row.workload());
        run.put("strategy", row.strategy().text());
        run.put("budget", row.budget());
        putTally(run, row.all(), cost);
        Map<String, Object> draftMicros = new LinkedHashMap<>();
        draftMicros.put("p50", row.all().draftMicros(0.5));
        draftMicros.put("p99", row.all().draftMicros(0.99));
        run.put("draftMicros", draftMicros);
        Map<String, Object> withoutRepeats = new LinkedHashMap<>();
        putTally(withoutRepeats, row.withoutRepeats(), cost);
        run.put("withoutRepeats", withoutRepeats);
        return run;
    }

    private static void putTally(Map<String, Object> into, ReplayTally tally, AssumedCost cost) {
        into.put("requests", tally.requests());
        into.put("steps", tally.steps());
        into.put("tokensPerStep", tally.tokensPerStep());
        into.put("acceptedPerStep", tally.acceptedPerStep());
        into.put("draftedPerStep", tally.draftedPerStep());
        into.put("acceptanceRate", tally.acceptanceRate());
        into.put("speedUp", tally.speedUp(cost));
    }

    /** Reliability of the rows' probabilities: of whole paths, and of single tokens. */
    public static List<Map<String, Object>> reliability(List<ReplayRow> rows) {
        return rows.stream().map(ReplayJson::reliability).toList();
    }

    private static Map<String, Object> reliability(ReplayRow row) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("strategy", row.strategy().text());
        result.put("budget", row.budget());
        Reliability.Calibration calibration = Reliability.Calibration.of(row.all());
        result.put("calibrated", calibration.isJudged() ? calibration.holds() : null);
        result.put("offPaths", calibration.path().map(Reliability.Bin::off).orElse(null));
        result.put("offTokens", calibration.token().map(Reliability.Bin::off).orElse(null));
        result.put("paths", bins(row.all().paths()));
        result.put("tokens", bins(row.all().tokensAtNode()));
        return result;
    }

    /** Speculation caches as simulated. */
    static List<Map<String, Object>> speculation(List<SimulatedSpeculation.Row> rows) {
        return rows.stream().map(ReplayJson::speculation).toList();
    }

    private static Map<String, Object> speculation(SimulatedSpeculation.Row row) {
        OverlapSimulation.Outcome outcome = row.figures().outcome();
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("strategy", row.strategy().text());
        result.put("budget", row.budget());
        result.put("draftMicros", row.figures().source().draftMicros());
        result.put("preparers", row.figures().source().preparers());
        result.put("stepMicros", outcome.stepNanos() / 1000);
        result.put("endings", name(row.figures().choice()));
        result.put("steps", outcome.steps());
        result.put("hits", outcome.hits());
        result.put("late", outcome.late());
        result.put("misses", outcome.misses());
        result.put("hitRate", outcome.hitRate());
        result.put("hiddenShare", outcome.hiddenShare());
        result.put("speedUp", outcome.speedUp());
        return result;
    }

    /** The ways of sharing among several workers, those of {@code --sharing}, each with all workloads together and one by one. */
    static List<Map<String, Object>> sharing(List<SharingModes.Mode> modes, int workers, AssumedCost cost) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (SharingModes.Mode mode : modes) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("way", mode.name());
            row.put("workers", workers);
            row.put("pooled", run(mode.pooled(), cost));
            row.put("runs", runs(mode.rows(), cost));
            rows.add(row);
        }
        return rows;
    }

    static String name(SimulatedSpeculation.Choice choice) {
        return choice == SimulatedSpeculation.Choice.BEST_FIRST ? "best-first" : "geometric";
    }

    private static List<Map<String, Object>> bins(Reliability reliability) {
        return reliability.bins().stream().map(ReplayJson::bin).toList();
    }

    private static Map<String, Object> bin(Reliability.Bin bin) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("from", bin.from());
        result.put("cases", bin.cases());
        result.put("predicted", bin.predicted());
        result.put("observed", bin.observed());
        return result;
    }
}
