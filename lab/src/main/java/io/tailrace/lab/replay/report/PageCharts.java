package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.OverlapSimulation.Outcome;
import io.tailrace.lab.replay.Reliability;
import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.lab.replay.ReplayTally;
import io.tailrace.lab.replay.SimulatedSpeculation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The charts of the report as data: what the page's script draws, and where. A strategy has the same colour everywhere. */
final class PageCharts {
    private static final int COLOURS = 8;
    private static final int WINDOWS = 20;
    static final int STREAMS_MAX = 24;

    private final List<String> strategies;
    private final List<Integer> budgets;
    private final List<Object> charts = new ArrayList<>();

    /** Named values, one for each category or x. */
    record Series(String name, int colour, double[] values) {}

    /**
     * Horizontal bars, grouped by category.
     *
     * @param max where the axis ends, so that charts side by side compare; 0: where the longest bar does
     */
    record Bars(
            String kind,
            String place,
            String title,
            String xTitle,
            int width,
            int digits,
            double max,
            List<String> categories,
            List<Series> series) {
        Bars(
                String place,
                String title,
                String xTitle,
                int digits,
                double max,
                List<String> categories,
                List<Series> series) {
            this("bars", place, title, xTitle, 1040, digits, max, categories, series);
        }
    }

    /**
     * Lines over common x values.
     *
     * @param ticks where the x axis is labelled; none: nowhere, but for a diagonal's axes from 0 to 1
     * @param diagonal whether to draw what perfect prediction would be: y = x
     */
    record Lines(
            String kind,
            String place,
            String title,
            int width,
            int height,
            String xTitle,
            String yTitle,
            double[] x,
            double[] ticks,
            boolean diagonal,
            List<Series> series) {}

    PageCharts(List<ReplayRow> pooled) {
        this.strategies =
                pooled.stream().map(row -> row.strategy().text()).distinct().toList();
        this.budgets =
                pooled.stream().map(ReplayRow::budget).distinct().sorted().toList();
    }

    List<Object> charts() {
        return charts;
    }

    List<String> strategies() {
        return strategies;
    }

    /** Those that were replayed, rising. */
    List<Integer> budgets() {
        return budgets;
    }

    static int colour(int number) {
        return number % COLOURS;
    }

    boolean hasManyBudgets() {
        return budgets.size() > 1;
    }

    /** The budget at which streams are shown: one in the middle. */
    int streamsBudget() {
        return budgets.get(budgets.size() / 2);
    }

    /** Tokens a step by workload, those that gain most first and the pool last; a chart for each budget, on one scale. */
    void workloads(List<ReplayRow> rows) {
        double max = rows.stream()
                .mapToDouble(row -> row.all().tokensPerStep())
                .max()
                .orElse(1);
        for (int budget : budgets) {
            List<ReplayRow> own =
                    rows.stream().filter(row -> row.budget() == budget).toList();
            List<String> workloads = sorted(own);
            List<Series> series = new ArrayList<>();
            for (String strategy : strategies) {
                series.add(series(strategy, tokensPerStep(of(own, strategy), workloads)));
            }
            charts.add(new Bars("bars", "budget " + budget, "tokens a step", 2, axisEnd(max), workloads, series));
        }
    }

    /** Leaves room for the value behind the longest bar. */
    private static double axisEnd(double max) {
        return Math.ceil(max * 1.1 * 2) / 2;
    }

    private static List<ReplayRow> of(List<ReplayRow> rows, String strategy) {
        return rows.stream()
                .filter(row -> row.strategy().text().equals(strategy))
                .toList();
    }

    /** By what the first strategy gives. */
    private List<String> sorted(List<ReplayRow> rows) {
        return of(rows, strategies.get(0)).stream()
                .sorted(Comparator.comparing((ReplayRow row) -> row.workload().equals(ReplayRow.POOLED))
                        .thenComparing(row -> -row.all().tokensPerStep()))
                .map(ReplayRow::workload)
                .toList();
    }

    private static double[] tokensPerStep(List<ReplayRow> rows, List<String> workloads) {
        double[] values = new double[workloads.size()];
        rows.forEach(
                row -> values[workloads.indexOf(row.workload())] = row.all().tokensPerStep());
        return values;
    }

    /** What workers know of each other, by workload. */
    void sharing(List<SharingModes.Mode> modes) {
        if (modes.isEmpty()) {
            return;
        }
        List<ReplayRow> last = new ArrayList<>(modes.get(modes.size() - 1).rows());
        last.add(modes.get(modes.size() - 1).pooled());
        List<String> workloads = sorted(last);
        List<Series> series = new ArrayList<>();
        double max = 1;
        for (SharingModes.Mode mode : modes) {
            List<ReplayRow> rows = new ArrayList<>(mode.rows());
            rows.add(mode.pooled());
            double[] values = tokensPerStep(rows, workloads);
            max = Math.max(max, Arrays.stream(values).max().orElse(1));
            series.add(new Series(mode.name(), colour(series.size()), values));
        }
        charts.add(new Bars(
                "sharing", "budget " + last.get(0).budget(), "tokens a step", 2, axisEnd(max), workloads, series));
    }

    /** What a larger budget gives, pooled. */
    void overBudgets(List<ReplayRow> pooled, AssumedCost cost) {
        if (hasManyBudgets()) {
            overBudgets("tokens a step", pooled, ReplayTally::tokensPerStep);
            overBudgets("estimated speed-up", pooled, tally -> tally.speedUp(cost));
        }
    }

    private void overBudgets(String title, List<ReplayRow> pooled, ToDoubleFunction<ReplayTally> figure) {
        double[] x = budgets.stream().mapToDouble(budget -> budget).toArray();
        List<Series> series = new ArrayList<>();
        for (String strategy : strategies) {
            double[] values = pooled.stream()
                    .filter(row -> row.strategy().text().equals(strategy))
                    .sorted(Comparator.comparingInt(ReplayRow::budget))
                    .mapToDouble(row -> figure.applyAsDouble(row.all()))
                    .toArray();
            series.add(series(strategy, values));
        }
        charts.add(new Lines(
                "lines", "budgets", title, 460, 260, "draft tokens a verification", title, x, x, false, series));
    }

    /** The streams, in the order of the inputs; the page draws the first {@value #STREAMS_MAX}. */
    static List<String> names(List<ReplayRun.Done> done) {
        return done.stream().map(one -> one.run().stream().name()).distinct().toList();
    }

    /** Tokens a step along each stream. */
    void streams(List<ReplayRun.Done> done) {
        for (String stream : names(done).stream().limit(STREAMS_MAX).toList()) {
            List<Series> series = done.stream()
                    .filter(one -> one.run().budget() == streamsBudget()
                            && one.run().stream().name().equals(stream))
                    .map(one -> series(one.run().strategy().text(), windows(one)))
                    .toList();
            double[] x = IntStream.range(0, series.get(0).values().length)
                    .asDoubleStream()
                    .toArray();
            charts.add(new Lines(
                    "lines",
                    "streams",
                    stream,
                    330,
                    190,
                    "requests in order",
                    "tokens a step",
                    x,
                    new double[0],
                    false,
                    series));
        }
    }

    private static double[] windows(ReplayRun.Done one) {
        int requests = one.result().requestSteps().length;
        int windows = Math.min(WINDOWS, requests);
        return IntStream.range(0, windows)
                .mapToDouble(i -> one.result().tokensPerStep(requests * i / windows, requests * (i + 1) / windows))
                .toArray();
    }

    /** Predicted beside right: of whole paths, then of tokens. */
    void reliability(ReplayRow row) {
        String name = row.strategy().text() + ", budget " + row.budget();
        reliability(name + ": paths", row.strategy().text(), row.all().paths());
        reliability(name + ": tokens", row.strategy().text(), row.all().tokensAtNode());
    }

    private void reliability(String title, String strategy, Reliability reliability) {
        List<Reliability.Bin> bins = reliability.bins();
        if (bins.isEmpty()) {
            return;
        }
        double[] predicted =
                bins.stream().mapToDouble(Reliability.Bin::predicted).toArray();
        double[] right = bins.stream().mapToDouble(Reliability.Bin::observed).toArray();
        charts.add(new Lines(
                "lines",
                "reliability",
                title,
                240,
                225,
                "predicted",
                "right",
                predicted,
                new double[0],
                true,
                List.of(series(strategy, right))));
    }

    /** What a speculation cache would have hidden, by draft source. */
    void speculation(List<SimulatedSpeculation.Row> rows) {
        if (!rows.isEmpty()) {
            speculation("drafts that were ready, %", rows, outcome -> 100 * outcome.hitRate());
            speculation("drafting time hidden, %", rows, outcome -> 100 * outcome.hiddenShare());
        }
    }

    private void speculation(String title, List<SimulatedSpeculation.Row> rows, ToDoubleFunction<Outcome> figure) {
        List<String> sources = rows.stream().map(this::source).distinct().toList();
        List<Series> series = new ArrayList<>();
        for (String choice : rows.stream().map(PageCharts::choice).distinct().toList()) {
            double[] values = new double[sources.size()];
            rows.stream()
                    .filter(row -> choice(row).equals(choice))
                    .forEach(row -> values[sources.indexOf(source(row))] =
                            figure.applyAsDouble(row.figures().outcome()));
            series.add(new Series(choice, series.size(), values));
        }
        String names = String.join(" above ", series.stream().map(Series::name).toList());
        charts.add(new Bars("speculation", title + " (" + names + ")", "%", 1, 0, sources, series));
    }

    /** What distinguishes a group of bars: budget, time of a draft, how many at a time; the strategy only where there are several. */
    private String source(SimulatedSpeculation.Row row) {
        String several = strategies.size() > 1 ? row.strategy().text() + " " : "";
        return "%s%d: %dus x%d"
                .formatted(
                        several,
                        row.budget(),
                        row.figures().source().draftMicros(),
                        row.figures().source().preparers());
    }

    private static String choice(SimulatedSpeculation.Row row) {
        return ReplayJson.name(row.figures().choice());
    }

    private Series series(String strategy, double[] values) {
        double[] rounded = Arrays.stream(values)
                .map(value -> Math.round(value * 1e4) / 1e4)
                .toArray();
        return new Series(strategy, colour(strategies.indexOf(strategy)), rounded);
    }
}
