package io.tailrace.worker.sampling;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The same choice by sorting everything and computing every probability: the oracle of {@link TokenSampler}. */
final class DullSampler {
    private DullSampler() {}

    /** The tokens that the filters leave, with their probabilities, likeliest first. */
    static List<Choice> distribution(SamplingParameters parameters, float[] logits) {
        List<Integer> order = new ArrayList<>();
        for (int token = 0; token < logits.length; token++) {
            if (logits[token] > Float.NEGATIVE_INFINITY) {
                order.add(token);
            }
        }
        order.sort(Comparator.<Integer>comparingDouble(token -> -logits[token]).thenComparing(token -> token));
        int k = parameters.greedy() ? 1 : parameters.topK() == 0 ? order.size() : parameters.topK();
        List<Choice> kept = softmax(order.subList(0, Math.min(k, order.size())), logits, parameters);
        double reached = 0;
        int count = 0;
        while (count < kept.size() && (parameters.topP() == 1 || reached < parameters.topP())) {
            reached += kept.get(count++).probability;
        }
        return renormalised(kept.subList(0, count));
    }

    static int sample(SamplingParameters parameters, float[] logits, int position) {
        long key = KeyedGumbel.key(parameters.seed(), position);
        int winner = -1;
        double best = Double.NEGATIVE_INFINITY;
        for (Choice choice : distribution(parameters, logits)) {
            double noise = KeyedGumbel.gumbel(KeyedGumbel.uniform(key, choice.token));
            double score = Math.log(choice.probability) + (parameters.greedy() ? 0 : noise);
            if (score > best) {
                best = score;
                winner = choice.token;
            }
        }
        return winner;
    }

    private static List<Choice> softmax(List<Integer> tokens, float[] logits, SamplingParameters parameters) {
        double temperature = parameters.greedy() ? 1 : parameters.temperature();
        double largest = logits[tokens.get(0)] / temperature;
        List<Choice> weighed = tokens.stream()
                .map(token -> new Choice(token, Math.exp(logits[token] / temperature - largest)))
                .toList();
        return renormalised(weighed);
    }

    private static List<Choice> renormalised(List<Choice> choices) {
        double sum = choices.stream().mapToDouble(Choice::probability).sum();
        return choices.stream()
                .map(choice -> new Choice(choice.token, choice.probability / sum))
                .toList();
    }

    record Choice(int token, double probability) {}
}
