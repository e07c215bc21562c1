package io.tailrace.operators.learning;

import io.tailrace.schemas.EvaluatedChoice;
import io.tailrace.schemas.EvaluationStatistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a lane's replicas have counted, summed up as a manifest carries it. Each other choice stands beside what the live one gave on the same generations. */
final class EvaluationFigures {
    private EvaluationTotals all = EvaluationTotals.ZERO;
    private final Map<String, EvaluationTotals> choices = new TreeMap<>();
    private final Map<String, EvaluationTotals> choicesLive = new HashMap<>();

    private EvaluationFigures() {}

    static EvaluationStatistics of(Collection<LearningReport> reports) {
        EvaluationFigures figures = new EvaluationFigures();
        reports.forEach(figures::add);
        return figures.toRecord();
    }

    /** What cannot be compared is left out. */
    private void add(LearningReport report) {
        all = all.plus(report.totals());
        report.choicesLive().forEach((choice, live) -> {
            EvaluationTotals counted = report.choices().getOrDefault(choice, EvaluationTotals.ZERO);
            choices.merge(choice, counted, EvaluationTotals::plus);
            choicesLive.merge(choice, live, EvaluationTotals::plus);
        });
    }

    private EvaluationStatistics toRecord() {
        List<EvaluatedChoice> counted = new ArrayList<>();
        choices.forEach((choice, totals) -> counted.add(record(choice, totals, choicesLive.get(choice))));
        return new EvaluationStatistics(
                all.generations(), all.responseTokens(), all.steps(), all.drafted(), all.accepted(), counted);
    }

    private static EvaluatedChoice record(String choice, EvaluationTotals counted, EvaluationTotals live) {
        return new EvaluatedChoice(
                choice,
                counted.steps(),
                counted.drafted(),
                counted.accepted(),
                live.generations(),
                live.steps(),
                live.accepted());
    }
}
