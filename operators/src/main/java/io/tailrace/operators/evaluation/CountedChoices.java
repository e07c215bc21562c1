package io.tailrace.operators.evaluation;

import io.tailrace.operators.learning.EvaluationTotals;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.suffix.LaneIndex;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The choices that a replica counts beside what is live, by name. One thread. */
final class CountedChoices {
    private final Map<String, CountedChoice> choices = new LinkedHashMap<>();

    /**
     * Choices of which each goes on where it was.
     *
     * @param weights that they learned before, by name
     * @param live weights of what is live, with which those that are new begin: else they would have to catch up; null: the product's
     */
    CountedChoices(List<EvaluationChoice> asked, Map<String, float[]> weights, float[] live) {
        asked.forEach(choice -> choices.put(choice.name(), choice.counted(weights.getOrDefault(choice.name(), live))));
    }

    Set<String> names() {
        return choices.keySet();
    }

    /** What each gives on one generation; index, budget and hurry are those of what is live. */
    Map<String, EvaluationTotals> count(EvaluationSample sample, LaneIndex index, int budget, float hurry) {
        Map<String, EvaluationTotals> counted = new HashMap<>();
        choices.forEach((name, choice) -> counted.put(name, choice.count(sample, index, budget, hurry)));
        return counted;
    }

    /** What those that learn have learned so far; nothing changes it any more. */
    Map<String, float[]> weights() {
        Map<String, float[]> weights = new HashMap<>();
        choices.forEach((name, choice) -> {
            float[] learned = choice.weights();
            if (learned != null) {
                weights.put(name, learned);
            }
        });
        return weights;
    }
}
