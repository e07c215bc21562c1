package io.tailrace.operators.learning;

import java.util.Map;

/**
 * What a replica tells the lane's publisher.
 *
 * @param lane as text
 * @param weights as learned so far
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
        EvaluationTotals totals,
        Map<String, EvaluationTotals> choices,
        Map<String, EvaluationTotals> choicesLive,
        long trial,
        int[] liveSteps,
        int[] candidateSteps,
        int[] anchorSteps) {
    /** Of a trial where the live policy is the best that was shown; of choices it is not known what they are to be compared with. */
    public LearningReport(
            String lane,
            int replica,
            float[] weights,
            long evidence,
            long learnedUntil,
            EvaluationTotals totals,
            Map<String, EvaluationTotals> choices,
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
}
