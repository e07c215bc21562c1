package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.OverlapSimulation;
import io.tailrace.lab.replay.Reliability;
import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayTally;
import io.tailrace.lab.replay.SimulatedSpeculation;
import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Rows for people. */
final class ReplayTables {
    private final PrintWriter out;
    private final AssumedCost cost;

    ReplayTables(PrintWriter out, AssumedCost cost) {
        this.out = out;
        this.cost = cost;
    }

    void runs(List<ReplayRow> rows, List<ReplayRow> pooled) {
        Table table = new Table(
                "workload",
                "strategy",
                "budget",
                "steps",
                "tokens/step",
                "accepted/step",
                "drafted/step",
                "accepted %",
                "speed-up",
                "draft p50 us",
                "p99 us",
                "without repeats: requests %",
                "tokens/step",
                "accepted/step");
        rows.forEach(row -> add(table, row));
        pooled.forEach(row -> add(table, row));
        table.print(out);
    }

    private void add(Table table, ReplayRow row) {
        ReplayTally all = row.all();
        ReplayTally firsts = row.withoutRepeats();
        table.row(
                row.workload(),
                row.strategy().text(),
                row.budget(),
                all.steps(),
                three(all.tokensPerStep()),
                three(all.acceptedPerStep()),
                all.draftedPerStep(),
                100 * all.acceptanceRate(),
                all.speedUp(cost),
                all.draftMicros(0.5),
                all.draftMicros(0.99),
                all.requests() == 0 ? null : 100.0 * firsts.requests() / all.requests(),
                three(firsts.tokensPerStep()),
                three(firsts.acceptedPerStep()));
    }

    /** What workers know of each other, and what that gives. */
    void sharing(List<SharingModes.Mode> modes, int workers) {
        Table table = new Table(workers + " workers", "budget", "tokens/step", "speed-up");
        for (SharingModes.Mode mode : modes) {
            ReplayTally all = mode.pooled().all();
            table.row(mode.name(), mode.pooled().budget(), three(all.tokensPerStep()), all.speedUp(cost));
        }
        table.print(out);
    }

    /** Predicted beside observed, for rows whose strategies promise probabilities. */
    void reliability(List<ReplayRow> pooled) {
        Table table = new Table("strategy", "budget", "predicted", "paths", "mean", "right", "tokens", "mean", "right");
        for (ReplayRow row : pooled) {
            List<Reliability.Bin> paths = row.all().paths().bins();
            List<Reliability.Bin> tokens = row.all().tokensAtNode().bins();
            for (int bin = 0; bin < Reliability.BINS; bin++) {
                double from = (double) bin / Reliability.BINS;
                addBin(table, row, from, binFrom(paths, from), binFrom(tokens, from));
            }
        }
        table.print(out);
        for (ReplayRow row : pooled) {
            out.println("%s, budget %d: %s"
                    .formatted(
                            row.strategy().text(),
                            row.budget(),
                            Reliability.Calibration.of(row.all()).describe()));
        }
    }

    /** What a speculation cache would have hidden. */
    void speculation(List<SimulatedSpeculation.Row> rows) {
        Table table = new Table(
                "strategy",
                "budget",
                "draft us",
                "prepared at a time",
                "endings chosen",
                "steps",
                "hits %",
                "late %",
                "drafting hidden %",
                "speed-up by hiding");
        for (SimulatedSpeculation.Row row : rows) {
            OverlapSimulation.Outcome outcome = row.figures().outcome();
            double steps = Math.max(1, outcome.steps());
            table.row(
                    row.strategy().text(),
                    row.budget(),
                    row.figures().source().draftMicros(),
                    row.figures().source().preparers(),
                    ReplayJson.name(row.figures().choice()),
                    outcome.steps(),
                    100 * outcome.hitRate(),
                    100 * outcome.late() / steps,
                    100 * outcome.hiddenShare(),
                    three(outcome.speedUp()));
        }
        table.print(out);
    }

    private static void addBin(Table table, ReplayRow row, double from, Reliability.Bin path, Reliability.Bin token) {
        if (path != null || token != null) {
            table.row(
                    row.strategy().text(),
                    row.budget(),
                    String.format(Locale.ROOT, "%.1f to %.1f", from, from + 1.0 / Reliability.BINS),
                    path == null ? 0 : path.cases(),
                    path == null ? null : three(path.predicted()),
                    path == null ? null : three(path.observed()),
                    token == null ? 0 : token.cases(),
                    token == null ? null : three(token.predicted()),
                    token == null ? null : three(token.observed()));
        }
    }

    private static Reliability.Bin binFrom(List<Reliability.Bin> bins, double from) {
        return bins.stream()
                .filter(bin -> Math.abs(bin.from() - from) < 1e-9)
                .findFirst()
                .orElse(null);
    }

    private static Table.Number3 three(double value) {
        return new Table.Number3(value);
    }
}
