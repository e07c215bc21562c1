package io.tailrace.lab.demo;

import io.tailrace.cli.terminal.Table;
import io.tailrace.lab.loop.FleetTotals;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** The demo's result for people. */
final class DemoSummary {
    private static final List<Map.Entry<String, String>> SOURCES = List.of(
            Map.entry("own", "the request's own context"),
            Map.entry("own-gapped", "the request's own context, past a difference"),
            Map.entry("fresh", "what the fleet answered just now, in no snapshot yet"),
            Map.entry("newest", "the fleet's snapshot, newest segment"),
            Map.entry("older", "the fleet's snapshot, older segments"),
            Map.entry("shared-gapped", "fresh or the fleet's, past a difference"));

    private final PrintWriter out;

    DemoSummary(PrintWriter out) {
        this.out = out;
    }

    void print(DemoResult result) {
        out.println();
        workloads(result);
        out.println();
        workers(result);
        out.println();
        sources(result.total());
        out.println();
        loop(result);
        out.println();
        DemoAccounts.print(result.accounting(), out);
        out.println();
        List<String> shortcomings = result.shortcomings();
        if (shortcomings.isEmpty()) {
            out.println("All promises kept: both accounts close, nothing is pending, freshness is within bounds.");
        }
        shortcomings.forEach(shortcoming -> out.println("Fell short: " + shortcoming + "."));
        out.flush();
    }

    private void workloads(DemoResult result) {
        Table table = new Table("workload", "requests", "response tokens", "tokens/step", "own context only", "ratio");
        result.byWorkload().forEach((workload, totals) -> row(table, workload, totals));
        row(table, "all", result.total());
        table.print(out);
    }

    /** What each worker drafted from the others' answers is what it got beyond its own. */
    private void workers(DemoResult result) {
        Table table = new Table("worker", "requests", "tokens/step", "with its own answers only", "from the others %");
        for (DemoResult.WorkerShare share : result.byWorker()) {
            double shared = share.served().tokensPerStep();
            double alone = share.tokensPerStepAlone();
            Double gain = alone == 0 ? null : 100 * (shared / alone - 1);
            table.row(share.worker(), share.served().requests(), shared, alone, gain);
        }
        table.print(out);
    }

    private static void row(Table table, String name, FleetTotals totals) {
        double own = totals.tokensPerStepOwnContext();
        table.row(
                name,
                totals.requests(),
                totals.responseTokens(),
                totals.tokensPerStep(),
                own == 0 ? null : own,
                own == 0 ? null : totals.tokensPerStep() / own);
    }

    private void sources(FleetTotals total) {
        Table table = new Table("accepted draft tokens came from", "source", "tokens", "share %");
        Map<String, Long> accepted = total.acceptedBySource();
        for (Map.Entry<String, String> source : SOURCES) {
            long tokens = accepted.getOrDefault(source.getKey(), 0L);
            double share = total.accepted() == 0 ? 0 : 100.0 * tokens / total.accepted();
            table.row(source.getValue(), source.getKey(), tokens, share);
        }
        table.print(out);
    }

    private void loop(DemoResult result) {
        out.println(
                "heard            p50 %s, p99 %s (completion of an answer to the first moment another worker could draft from it)"
                        .formatted(millis(result.heardP50Millis()), millis(result.heardP99Millis())));
        out.println(
                "freshness        p50 %s, p99 %s (the same by snapshots alone: announced, loaded, there for every worker to come)"
                        .formatted(millis(result.freshnessP50Millis()), millis(result.freshnessP99Millis())));
        out.println(
                "snapshot version " + (result.snapshotVersion() == 0 ? "none announced" : result.snapshotVersion()));
        if (result.badLines() > 0) {
            out.println("bad lines        %,d of the input were skipped".formatted(result.badLines()));
        }
    }

    private static String millis(long millis) {
        return millis < 0 ? "-" : "%,d ms".formatted(millis);
    }
}
