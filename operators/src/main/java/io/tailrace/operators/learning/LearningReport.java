package io.tailrace.operators.learning;

import io.tailrace.schemas.EvaluatedChoice;
import io.tailrace.schemas.EvaluationStatistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a replica tells the lane's publisher.
 *
 * @param lane as text
 * @param weights as learned so far; none: nothing was learned yet
 * @param evidence labelled places they were learned from
 * @param learnedUntil what they were learned from was completed before, epoch milliseconds
 * @param totals evaluated since the job's state began
 * @param choices what other choices would have given, by name; each since it is counted
 * @param choicesLive what the live choice gave on the same generations, by the other's name
 * @param trial the trial that the steps are of; 0: none
 * @param liveSteps steps with the live policy, generation by generation, since the last report
 * @param candidateSteps steps with the candidate
 * @param anchorSteps steps with the best policy that was shown; none where that is the live one
 */
public record LearningReport(
        String lane,
        int replica,
        float[] weights,
        long evidence,
        long learnedUntil,
        Totals totals,
        Map<String, Totals> choices,
        Map<String, Totals> choicesLive,
        long trial,
        int[] liveSteps,
        int[] candidateSteps,
        int[] anchorSteps) {
    public LearningReport {
        weights = weights == null ? new float[0] : weights;
    }

    /** Of a trial where the live policy is the best that was shown; of choices it is not known what they are to be compared with. */
    public LearningReport(
            String lane,
            int replica,
            float[] weights,
            long evidence,
            long learnedUntil,
            Totals totals,
            Map<String, Totals> choices,
            long trial,
            int[] liveSteps,
            int[] candidateSteps) {
        this(
                lane,
                replica,
                weights,
                evidence,
                learnedUntil,
                totals,
                choices,
                Map.of(),
                trial,
                liveSteps,
                candidateSteps,
                new int[0]);
    }

    /** What is kept of it. */
    LearningReport withoutSteps() {
        return new LearningReport(
                lane,
                replica,
                weights,
                evidence,
                learnedUntil,
                totals,
                choices,
                choicesLive,
                0,
                new int[0],
                new int[0],
                new int[0]);
    }

    /** What evaluations add up to. */
    public record Totals(long generations, long responseTokens, long steps, long drafted, long accepted) {
        public static final Totals ZERO = new Totals(0, 0, 0, 0, 0);

        public Totals plus(Totals other) {
            return new Totals(
                    generations + other.generations,
                    responseTokens + other.responseTokens,
                    steps + other.steps,
                    drafted + other.drafted,
                    accepted + other.accepted);
        }
    }

    /** What a lane's replicas have counted, summed up as a manifest carries it. Each other choice stands beside what the live one gave on the same generations. */
    static final class Figures {
        private Totals all = Totals.ZERO;
        private final Map<String, Totals> choices = new TreeMap<>();
        private final Map<String, Totals> choicesLive = new HashMap<>();

        private Figures() {}

        static EvaluationStatistics of(Collection<LearningReport> reports) {
            Figures figures = new Figures();
            reports.forEach(figures::add);
            return figures.toRecord();
        }

        /** What cannot be compared is left out. */
        private void add(LearningReport report) {
            all = all.plus(report.totals());
            report.choicesLive().forEach((choice, live) -> {
                Totals counted = report.choices().getOrDefault(choice, Totals.ZERO);
                choices.merge(choice, counted, Totals::plus);
                choicesLive.merge(choice, live, Totals::plus);
            });
        }

        private EvaluationStatistics toRecord() {
            List<EvaluatedChoice> counted = new ArrayList<>();
            choices.forEach((choice, totals) -> counted.add(record(choice, totals, choicesLive.get(choice))));
            return new EvaluationStatistics(
                    all.generations(), all.responseTokens(), all.steps(), all.drafted(), all.accepted(), counted);
        }

        private static EvaluatedChoice record(String choice, Totals counted, Totals live) {
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
}
