package io.tailrace.operators.learning;

import io.tailrace.schemas.ReplayCounterfactual;
import io.tailrace.schemas.ReplayStatistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a lane's replicas have counted, summed up as a manifest carries it. Each other choice stands beside what the live one gave on the same generations. */
final class ReplayFigures {
    private ReplayTotals all = ReplayTotals.ZERO;
    private final Map<String, ReplayTotals> choices = new TreeMap<>();
    private final Map<String, ReplayTotals> choicesLive = new HashMap<>();

    private ReplayFigures() {}

    static ReplayStatistics of(Collection<LearningReport> reports) {
        ReplayFigures figures = new ReplayFigures();
        reports.forEach(figures::add);
        return figures.toRecord();
    }

    /** What cannot be compared, since it is of an earlier release, is left out until its replica reports again. */
    private void add(LearningReport report) {
        all = all.plus(report.totals());
        report.choicesLive().forEach((choice, live) -> {
            ReplayTotals counted = report.choices().getOrDefault(choice, ReplayTotals.ZERO);
            choices.merge(choice, counted, ReplayTotals::plus);
            choicesLive.merge(choice, live, ReplayTotals::plus);
        });
    }

    private ReplayStatistics toRecord() {
        List<ReplayCounterfactual> counted = new ArrayList<>();
        choices.forEach((choice, totals) -> counted.add(record(choice, totals, choicesLive.get(choice))));
        return new ReplayStatistics(
                all.generations(), all.responseTokens(), all.steps(), all.drafted(), all.accepted(), counted);
    }

    private static ReplayCounterfactual record(String choice, ReplayTotals counted, ReplayTotals live) {
        return new ReplayCounterfactual(
                choice,
                counted.steps(),
                counted.drafted(),
                counted.accepted(),
                live.generations(),
                live.steps(),
                live.accepted());
    }
}
