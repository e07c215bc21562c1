package io.tailrace.lab.demo;

import io.tailrace.lab.loop.FleetTotals;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * What the demo measured.
 *
 * @param served requests that the workers served
 * @param total outcomes of all requests, read from Kafka
 * @param byWorkload outcomes by workload
 * @param byWorker what each worker served, and what it would have had alone
 * @param heardP50Millis completion of another worker's answer to the moment it could be drafted from, before a snapshot had it; -1: none
 * @param heardP99Millis -1: none
 * @param freshnessP50Millis of snapshots; -1: none measured
 * @param freshnessP99Millis -1: none measured
 * @param snapshotVersion newest announced version of any lane
 * @param accounting as it stood at the end
 * @param badLines lines of the input that were skipped
 */
record DemoResult(
        long served,
        FleetTotals total,
        SortedMap<String, FleetTotals> byWorkload,
        List<WorkerShare> byWorker,
        long heardP50Millis,
        long heardP99Millis,
        long freshnessP50Millis,
        long freshnessP99Millis,
        long snapshotVersion,
        LoopObserver.Accounting accounting,
        long badLines) {
    static final long FRESHNESS_P99_MILLIS_MAX = 10_000;

    /**
     * One worker.
     *
     * @param stepsAlone verifications that its requests would have taken with its own answers only
     */
    record WorkerShare(String worker, FleetTotals served, long stepsAlone) {
        double tokensPerStepAlone() {
            return stepsAlone == 0 ? 0 : (double) served.responseTokens() / stepsAlone;
        }
    }

    /** What the demo promises and did not keep, in sentences. */
    List<String> shortcomings() {
        List<String> found = new ArrayList<>();
        if (total.requests() != served) {
            found.add("topic outcomes holds %d requests, but %d were served".formatted(total.requests(), served));
        }
        if (!accounting.records().closes()) {
            found.add("the accounting of records does not close");
        }
        if (!accounting.tokens().closes()) {
            found.add("the accounting of tokens does not close");
        }
        if (accounting.tokens().pending() > 0) {
            found.add(accounting.tokens().pending() + " tokens are still pending");
        }
        if (freshnessP99Millis < 0) {
            found.add("no freshness was measured: no worker loaded a snapshot");
        } else if (freshnessP99Millis > FRESHNESS_P99_MILLIS_MAX) {
            found.add("freshness p99 is %,d ms, above %,d ms".formatted(freshnessP99Millis, FRESHNESS_P99_MILLIS_MAX));
        }
        return found;
    }

    /** The result for programs. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("requests", total.requests());
        json.put("tokensPerStep", total.tokensPerStep());
        json.put("tokensPerStepOwnContext", total.tokensPerStepOwnContext());
        json.put("freshnessMillis", ordered("p50", freshnessP50Millis, "p99", freshnessP99Millis));
        json.put("heardMillis", ordered("p50", heardP50Millis, "p99", heardP99Millis));
        json.put("snapshotVersion", snapshotVersion);
        DemoAccounts.addTo(json, accounting);
        json.put("workloads", workloads());
        json.put("workers", workers());
        json.put("acceptedBySource", total.acceptedBySource());
        json.put("badLines", badLines);
        json.put("shortcomings", shortcomings());
        return json;
    }

    private List<Map<String, Object>> workloads() {
        List<Map<String, Object>> rows = new ArrayList<>();
        byWorkload.forEach((workload, totals) -> rows.add(ordered(
                "workload", workload,
                "requests", totals.requests(),
                "responseTokens", totals.responseTokens(),
                "tokensPerStep", totals.tokensPerStep(),
                "tokensPerStepOwnContext", totals.tokensPerStepOwnContext())));
        return rows;
    }

    private List<Map<String, Object>> workers() {
        return byWorker.stream()
                .map(share -> ordered(
                        "worker", share.worker(),
                        "requests", share.served().requests(),
                        "tokensPerStep", share.served().tokensPerStep(),
                        "tokensPerStepAlone", share.tokensPerStepAlone()))
                .toList();
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    /** The demo's result for people. */
    static final class Summary {
        private static final List<Map.Entry<String, String>> SOURCES = List.of(
                Map.entry("own", "the request's prompt"),
                Map.entry("said", "what the request has said itself"),
                Map.entry("own-gapped", "the request's own context, past a difference"),
                Map.entry("fresh", "what the fleet answered just now, in no snapshot yet"),
                Map.entry("newest", "the fleet's snapshot, newest segment"),
                Map.entry("older", "the fleet's snapshot, older segments"),
                Map.entry("shared-gapped", "fresh or the fleet's, past a difference"),
                Map.entry("aligned", "fresh or the fleet's, followed before a difference"),
                Map.entry("similar", "what the fleet answered to similar requests"));

        private final PrintWriter out;

        Summary(PrintWriter out) {
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
            Table table =
                    new Table("workload", "requests", "response tokens", "tokens/step", "own context only", "ratio");
            result.byWorkload().forEach((workload, totals) -> row(table, workload, totals));
            row(table, "all", result.total());
            table.print(out);
        }

        /** What each worker drafted from the others' answers is what it got beyond its own. */
        private void workers(DemoResult result) {
            Table table =
                    new Table("worker", "requests", "tokens/step", "with its own answers only", "from the others %");
            for (WorkerShare share : result.byWorker()) {
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
            out.println("snapshot version "
                    + (result.snapshotVersion() == 0 ? "none announced" : result.snapshotVersion()));
            if (result.badLines() > 0) {
                out.println("bad lines        %,d of the input were skipped".formatted(result.badLines()));
            }
        }

        private static String millis(long millis) {
            return millis < 0 ? "-" : "%,d ms".formatted(millis);
        }
    }
}
