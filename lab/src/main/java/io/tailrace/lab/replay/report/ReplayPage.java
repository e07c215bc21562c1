package io.tailrace.lab.replay.report;

import io.tailrace.cli.terminal.Machine;
import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.Calibration;
import io.tailrace.lab.replay.Reliability;
import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.lab.replay.ReplayTally;
import io.tailrace.lab.replay.SpeculationRow;
import io.tailrace.lab.replay.report.Charts.Series;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report: one HTML file with everything in it, charts drawn as SVG. */
final class ReplayPage {
    private static final String TEMPLATE = "page.html";
    private static final int WINDOWS = 20;
    private static final int SERIES_CHARTS_MAX = 24;

    private final String command;
    private final AssumedCost curve;
    private final String weights;
    private final List<ReplayRun.Done> done;
    private final List<ReplayRow> rows;
    private final List<ReplayRow> pooled;
    private final List<String> strategies;
    private final List<Integer> budgets;

    ReplayPage(
            String command,
            AssumedCost curve,
            String weights,
            List<ReplayRun.Done> done,
            List<ReplayRow> rows,
            List<ReplayRow> pooled) {
        this.command = command;
        this.curve = curve;
        this.weights = weights;
        this.done = done;
        this.rows = rows;
        this.pooled = pooled;
        this.strategies =
                pooled.stream().map(row -> row.strategy().text()).distinct().toList();
        this.budgets =
                pooled.stream().map(ReplayRow::budget).distinct().sorted().toList();
    }

    void write(Path file, List<ReplayRow> calibrated, List<SpeculationRow> speculation) throws IOException {
        int seriesBudget = budgets.get(budgets.size() / 2);
        String page = template()
                .replace("{{command}}", Svg.escape(command))
                .replace("{{provenance}}", Svg.escape(Machine.describe() + "; commit " + Machine.commit()))
                .replace("{{tiles}}", tiles())
                .replace("{{legend}}", legend())
                .replace("{{bars}}", bars())
                .replace("{{overBudgets}}", overBudgets())
                .replace("{{seriesBudget}}", Integer.toString(seriesBudget))
                .replace("{{series}}", series(seriesBudget))
                .replace("{{reliability}}", reliability(calibrated))
                .replace("{{speculation}}", new SpeculationPart(speculation).html())
                .replace("{{table}}", table())
                .replace("{{cost}}", costText())
                .replace("{{weights}}", Svg.escape(weights));
        Files.writeString(file, page);
    }

    private static String template() throws IOException {
        try (InputStream in = ReplayPage.class.getResourceAsStream(TEMPLATE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + TEMPLATE + " must be beside this class, found none");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The first strategy, pooled, at each budget. */
    private String tiles() {
        StringBuilder tiles = new StringBuilder();
        for (ReplayRow row : pooled) {
            if (row.strategy().text().equals(strategies.get(0))) {
                tiles.append(format(
                        "<div class=\"tile\"><b>%.2f</b>tokens a step<br><span>%s, budget %d; speed-up %.2f"
                                + " (estimate)</span></div>",
                        row.all().tokensPerStep(),
                        Svg.escape(row.strategy().text()),
                        row.budget(),
                        row.all().speedUp(curve)));
            }
        }
        ReplayTally first = pooled.get(0).all();
        tiles.append(format(
                "<div class=\"tile\"><b>%,d</b>requests counted<br><span>%,d response tokens</span></div>",
                first.requests(), first.tokens()));
        return tiles.toString();
    }

    private String legend() {
        StringBuilder legend = new StringBuilder();
        for (int i = 0; i < strategies.size(); i++) {
            legend.append(format(
                    "<span><i style=\"background:%s\"></i>%s</span>", Svg.colour(i), Svg.escape(strategies.get(i))));
        }
        return legend.toString();
    }

    private String bars() {
        List<ReplayRow> all = new ArrayList<>(rows);
        all.addAll(pooled);
        List<String> workloads =
                all.stream().map(ReplayRow::workload).distinct().toList();
        StringBuilder charts = new StringBuilder();
        for (int budget : budgets) {
            List<Series> series = new ArrayList<>();
            for (int i = 0; i < strategies.size(); i++) {
                double[] values = new double[workloads.size()];
                for (ReplayRow row : all) {
                    if (row.budget() == budget && row.strategy().text().equals(strategies.get(i))) {
                        values[workloads.indexOf(row.workload())] = row.all().tokensPerStep();
                    }
                }
                series.add(new Series(strategies.get(i), i, values));
            }
            charts.append(Charts.bars("budget " + budget, workloads, series, 420));
        }
        return charts.toString();
    }

    private String overBudgets() {
        if (budgets.size() < 2) {
            return "";
        }
        double[] xs = budgets.stream().mapToDouble(budget -> budget).toArray();
        String[] labels =
                budgets.stream().map(budget -> Integer.toString(budget)).toArray(String[]::new);
        List<Series> accepted = new ArrayList<>();
        List<Series> speedUps = new ArrayList<>();
        for (int i = 0; i < strategies.size(); i++) {
            String strategy = strategies.get(i);
            List<ReplayTally> tallies = pooled.stream()
                    .filter(row -> row.strategy().text().equals(strategy))
                    .sorted((one, other) -> Integer.compare(one.budget(), other.budget()))
                    .map(ReplayRow::all)
                    .toList();
            accepted.add(new Series(
                    strategy,
                    i,
                    tallies.stream().mapToDouble(ReplayTally::tokensPerStep).toArray()));
            speedUps.add(new Series(
                    strategy,
                    i,
                    tallies.stream().mapToDouble(tally -> tally.speedUp(curve)).toArray()));
        }
        return "<h2>What a larger budget gives</h2>\n<p class=\"soft\">Pooled over all workloads, by draft tokens a"
                + " verification.</p>\n<div class=\"charts\">"
                + Charts.lines("tokens a step", xs, labels, accepted, false, 320, 200)
                + Charts.lines("estimated speed-up", xs, labels, speedUps, false, 320, 200)
                + "</div>";
    }

    private String series(int budget) {
        List<String> streams =
                done.stream().map(one -> one.run().stream().name()).distinct().toList();
        StringBuilder charts = new StringBuilder();
        for (String stream : streams.subList(0, Math.min(streams.size(), SERIES_CHARTS_MAX))) {
            List<Series> lines = new ArrayList<>();
            for (ReplayRun.Done one : done) {
                if (one.run().budget() == budget && one.run().stream().name().equals(stream)) {
                    String strategy = one.run().strategy().text();
                    lines.add(new Series(strategy, strategies.indexOf(strategy), windows(one)));
                }
            }
            double[] xs = new double[lines.get(0).values().length];
            String[] labels = new String[xs.length];
            for (int i = 0; i < xs.length; i++) {
                xs[i] = i;
                labels[i] = "";
            }
            charts.append(Charts.lines(stream, xs, labels, lines, false, 250, 130));
        }
        return charts.toString();
    }

    private static double[] windows(ReplayRun.Done one) {
        int requests = one.result().requestSteps().length;
        int windows = Math.min(WINDOWS, requests);
        double[] values = new double[windows];
        for (int i = 0; i < windows; i++) {
            values[i] = one.result().tokensPerStep(requests * i / windows, requests * (i + 1) / windows);
        }
        return values;
    }

    private String reliability(List<ReplayRow> calibrated) {
        if (calibrated.isEmpty()) {
            return "";
        }
        StringBuilder charts =
                new StringBuilder("<h2>Are the probabilities right?</h2>\n<p class=\"soft\">Drafted tokens"
                        + " by the probability they were given, and the share of them that were right; on the dashed line both"
                        + " agree. Left of each pair: whole paths; right: a token, its path being right.</p>\n"
                        + "<div class=\"charts\">");
        StringBuilder verdicts = new StringBuilder();
        for (ReplayRow row : calibrated) {
            String name = row.strategy().text() + ", budget " + row.budget();
            int colour = strategies.indexOf(row.strategy().text());
            charts.append(reliability(name + ": paths", colour, row.all().paths()));
            charts.append(reliability(name + ": tokens", colour, row.all().tokensAtNode()));
            verdicts.append(format(
                    "<li>%s: %s", Svg.escape(name), Calibration.of(row.all()).describe()));
        }
        return charts.append("</div>\n<ul>").append(verdicts).append("</ul>").toString();
    }

    private static String reliability(String title, int colour, Reliability reliability) {
        List<Reliability.Bin> bins = reliability.bins();
        if (bins.isEmpty()) {
            return "";
        }
        double[] xs = bins.stream().mapToDouble(Reliability.Bin::predicted).toArray();
        double[] ys = bins.stream().mapToDouble(Reliability.Bin::observed).toArray();
        String[] labels =
                bins.stream().map(bin -> format("%.1f", bin.predicted())).toArray(String[]::new);
        return Charts.lines(title, xs, labels, List.of(new Series(title, colour, ys)), true, 250, 220);
    }

    private String table() {
        String head =
                "<table><tr><th>workload<th>strategy<th>budget<th>requests<th>steps<th>tokens/step<th>accepted/step"
                        + "<th>drafted/step<th>accepted %<th>speed-up<th>draft us p50<th>p99<th>without repeats: requests"
                        + "<th>tokens/step<th>accepted/step</tr>\n";
        return head
                + rows.stream().map(row -> tableRow(row, "")).collect(Collectors.joining("\n"))
                + pooled.stream().map(row -> tableRow(row, " class=\"pooled\"")).collect(Collectors.joining("\n"))
                + "</table>";
    }

    private String tableRow(ReplayRow row, String style) {
        ReplayTally all = row.all();
        ReplayTally firsts = row.withoutRepeats();
        return format(
                "<tr%s><td>%s<td>%s<td>%d<td>%,d<td>%,d<td>%.3f<td>%.3f<td>%.2f<td>%.1f<td>%.2f<td>%.1f<td>%.1f"
                        + "<td>%,d<td>%.3f<td>%.3f</tr>",
                style,
                Svg.escape(row.workload()),
                Svg.escape(row.strategy().text()),
                row.budget(),
                all.requests(),
                all.steps(),
                all.tokensPerStep(),
                all.acceptedPerStep(),
                all.draftedPerStep(),
                100 * all.acceptanceRate(),
                all.speedUp(curve),
                all.draftMicros(0.5),
                all.draftMicros(0.99),
                firsts.requests(),
                firsts.tokensPerStep(),
                firsts.acceptedPerStep());
    }

    private String costText() {
        return curve.points().stream()
                .map(point -> point.tokens() + ":" + format("%s", point.time()))
                .collect(Collectors.joining(","));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
