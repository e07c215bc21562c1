package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayTally;
import io.tailrace.suffix.draft.DraftPart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Tables with a row a workload and a column a variant, and at the end those pooled that every variant has; draft times with a row a
 * variant.
 */
public final class Comparison {
    /** A figure of a tally, with its name. */
    public record Figure(String name, ToDoubleFunction<ReplayTally> of) {}

    public static final Figure ACCEPTED = new Figure("accepted/step", ReplayTally::acceptedPerStep);
    public static final Figure TOKENS = new Figure("tokens/step", ReplayTally::tokensPerStep);
    public static final Figure DRAFTED = new Figure("drafted/step", ReplayTally::draftedPerStep);

    private final List<Finished> finished;

    public Comparison(List<Finished> finished) {
        this.finished = List.copyOf(finished);
    }

    /** A table for each budget, over all strategies: the strategies are the variants. */
    public List<ResultPage.Table> byBudget(Figure figure) {
        List<ResultPage.Table> tables = new ArrayList<>();
        for (int budget : budgets()) {
            tables.add(table(
                    "budget " + budget + ": " + figure.name(),
                    figure,
                    one -> one.trial().run().budget() == budget));
        }
        return tables;
    }

    /** A table for each strategy and budget. */
    public List<ResultPage.Table> byStrategy(Figure figure) {
        List<ResultPage.Table> tables = new ArrayList<>();
        for (String strategy : strategies()) {
            for (int budget : budgets()) {
                tables.add(table(
                        strategy + ", budget " + budget + ": " + figure.name(),
                        figure,
                        one -> one.trial().run().budget() == budget && name(one).equals(strategy)));
            }
        }
        return tables;
    }

    /** The median draft of all workloads; none where a replay was done before: draft times are not kept. */
    public ResultPage.Table draftTimes() {
        List<String> heads = new ArrayList<>(List.of("variant"));
        Map<String, List<String>> rows = new LinkedHashMap<>();
        variants(finished).forEach(variant -> rows.put(variant, new ArrayList<>(List.of(variant))));
        for (String strategy : strategies()) {
            for (int budget : budgets()) {
                heads.add(strategy + ", budget " + budget);
                List<Finished> these = finished.stream()
                        .filter(one -> one.trial().run().budget() == budget
                                && name(one).equals(strategy))
                        .toList();
                rows.forEach((variant, row) -> row.add(draftTime(tally(these, variant, workloads(these), false))));
            }
        }
        return new ResultPage.Table("draft, us p50", heads, List.copyOf(rows.values()));
    }

    private static String draftTime(ReplayTally tally) {
        return tally.isTimed() ? String.format(Locale.ROOT, "%.1f", tally.draftMicros(0.5)) : "-";
    }

    private List<Integer> budgets() {
        return finished.stream()
                .map(one -> one.trial().run().budget())
                .distinct()
                .toList();
    }

    private List<String> strategies() {
        return finished.stream().map(Comparison::name).distinct().toList();
    }

    /** Its strategy, whatever is left out of it. */
    private static String name(Finished one) {
        String text = one.trial().run().strategy().text();
        for (DraftPart part : DraftPart.ALL) {
            text = text.replace(Trials.off(part), "");
        }
        return text;
    }

    private ResultPage.Table table(String title, Figure figure, Predicate<Finished> which) {
        List<Finished> these = finished.stream().filter(which).toList();
        List<String> variants = variants(these);
        List<String> workloads = workloads(these);
        List<List<String>> rows = new ArrayList<>();
        for (String workload : workloads) {
            rows.add(row(workload, variants, variant -> tally(these, variant, List.of(workload), false), figure));
        }
        List<String> complete = workloads.stream()
                .filter(workload -> variants.stream()
                        .allMatch(variant ->
                                tally(these, variant, List.of(workload), false).steps() > 0))
                .toList();
        String pooled = complete.size() == workloads.size() ? "pooled" : "pooled, workloads with every column";
        rows.add(row("**" + pooled + "**", variants, variant -> tally(these, variant, complete, false), figure));
        rows.add(row(pooled + ", without repeats", variants, variant -> tally(these, variant, complete, true), figure));
        List<String> heads = new ArrayList<>(List.of("workload"));
        heads.addAll(variants);
        return new ResultPage.Table(title, heads, rows);
    }

    private static List<String> variants(List<Finished> these) {
        return these.stream().map(one -> one.trial().variant()).distinct().toList();
    }

    private static List<String> workloads(List<Finished> these) {
        return these.stream()
                .flatMap(one -> one.result().byWorkload().keySet().stream())
                .distinct()
                .toList();
    }

    private static List<String> row(
            String name, List<String> variants, Function<String, ReplayTally> tallyOf, Figure figure) {
        List<String> row = new ArrayList<>(List.of(name));
        for (String variant : variants) {
            ReplayTally tally = tallyOf.apply(variant);
            row.add(
                    tally.steps() == 0
                            ? "-"
                            : String.format(Locale.ROOT, "%.3f", figure.of().applyAsDouble(tally)));
        }
        return row;
    }

    private static ReplayTally tally(
            List<Finished> these, String variant, List<String> workloads, boolean withoutRepeats) {
        ReplayTally sum = new ReplayTally();
        for (Finished one : these) {
            if (one.trial().variant().equals(variant)) {
                var tallies = withoutRepeats
                        ? one.result().withoutRepeats()
                        : one.result().byWorkload();
                workloads.forEach(workload -> {
                    if (tallies.containsKey(workload)) {
                        sum.add(tallies.get(workload));
                    }
                });
            }
        }
        return sum;
    }
}
