package io.tailrace.lab.bench.serve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Two sides' times for the same work, in pairs: each round of requests was asked of both, one right after the other, and all rounds
 * again in every pass.
 *
 * <p><b>Idea.</b> A machine has slow seconds. They meet both sides of a pair alike, or one of them hard; so a round's gain is the median
 * of its pairs' ratios over the passes, and the whole gain is that of rounds which take their usual plain time and gain their
 * median: {@code sum(plain) / sum(plain / gain)}. A round weighs what it weighs in the work, so rounds that gain nothing count
 * as much as they take. With one pass it is the ratio of the sums.
 */
final class PairedRounds {
    private final List<List<Pair>> rounds = new ArrayList<>();

    /** Times of one round on both sides, each for the tokens it gave. */
    private record Pair(double plainNanos, double nanos) {
        double gain() {
            return plainNanos / nanos;
        }
    }

    /**
     * Adds what one round took, in any pass.
     *
     * @param round its number, from 0; passes add to the same
     * @param plainNanos a token's time on the plain side, times the round's tokens
     * @param nanos the same on the other side
     */
    void add(int round, double plainNanos, double nanos) {
        if (round < 0 || round > rounds.size() || !(plainNanos > 0) || !(nanos > 0)) {
            throw new IllegalArgumentException("round 0 to %d and times above 0 expected, got %d, %s, %s"
                    .formatted(rounds.size(), round, plainNanos, nanos));
        }
        if (round == rounds.size()) {
            rounds.add(new ArrayList<>());
        }
        rounds.get(round).add(new Pair(plainNanos, nanos));
    }

    /** How many times as fast as the plain side. */
    double gain() {
        double plain = 0;
        double other = 0;
        for (List<Pair> pairs : rounds) {
            double usual = median(pairs.stream().mapToDouble(Pair::plainNanos));
            plain += usual;
            other += usual / median(pairs.stream().mapToDouble(Pair::gain));
        }
        return plain / other;
    }

    /** Each pass alone: the ratio of its sums. */
    double[] gainsOfPasses() {
        int passes = rounds.stream().mapToInt(List::size).min().orElse(0);
        return IntStream.range(0, passes)
                .mapToDouble(pass -> sum(pass, true) / sum(pass, false))
                .toArray();
    }

    private double sum(int pass, boolean plain) {
        return rounds.stream()
                .mapToDouble(pairs ->
                        plain ? pairs.get(pass).plainNanos() : pairs.get(pass).nanos())
                .sum();
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
