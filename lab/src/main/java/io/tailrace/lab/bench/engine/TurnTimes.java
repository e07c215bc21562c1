package io.tailrace.lab.bench.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Times of drafters that took turns at the same blocks of requests, in several passes.
 *
 * <p><b>Idea.</b> A machine's speed drifts over minutes and drops in bursts. Drift meets all turns of a round alike, a round being one block in one pass; so
 * only times of the same round are held against each other. A burst meets one turn: then this turn's share of its round's time is not what it
 * is in the other passes, where the same work was done. Such a round is left out for all drafters, if any of them took a share that is more than
 * {@value #BURST} times, or less than one by {@value #BURST} times, its median over the block's passes. The round nearest to the medians always stays.
 *
 * <p>A drafter's time of a block is the mean over the rounds that stay. The ratio of two drafters is that of the sums over blocks. How well it is
 * known says {@link LogRatio}.
 */
final class TurnTimes {
    static final double BURST = 1.2;

    private final Map<String, Map<Integer, Map<Integer, Map<String, Double>>>> rounds = new LinkedHashMap<>();

    /**
     * How many times as fast one drafter was as another.
     *
     * @param low lower end of the 90 % interval; null: there are too few blocks for one
     * @param high its upper end, or null
     */
    record Ratio(double value, Double low, Double high) {
        /** For people, or null where there is no interval. */
        String interval() {
            return low == null ? null : "%.2f-%.2f".formatted(low, high);
        }
    }

    /**
     * Adds the time of a turn.
     *
     * @param workload blocks of different workloads are different
     */
    void add(String workload, int block, int pass, String drafter, double nanos) {
        if (!(nanos > 0)) {
            throw new IllegalArgumentException("a turn takes time, got %s ns".formatted(nanos));
        }
        rounds.computeIfAbsent(workload, key -> new TreeMap<>())
                .computeIfAbsent(block, key -> new TreeMap<>())
                .computeIfAbsent(pass, key -> new LinkedHashMap<>())
                .put(drafter, nanos);
    }

    /** Rounds of all blocks. */
    int rounds() {
        return blocks().stream().mapToInt(Map::size).sum();
    }

    /** Of them, those that were left out for a burst. */
    int trimmed() {
        return rounds()
                - blocks().stream().mapToInt(block -> kept(block).size()).sum();
    }

    /** Whether a round stays. */
    boolean isKept(String workload, int block, int pass) {
        return kept(rounds.get(workload).get(block)).contains(pass);
    }

    /** What a drafter took for all blocks once. */
    double nanos(String drafter) {
        return DoubleStream.of(nanosByBlock(drafter)).sum();
    }

    /** How many times as fast as the other a drafter was. */
    LogRatio ratio(String drafter, String other) {
        return LogRatio.of(nanosByBlock(drafter), nanosByBlock(other));
    }

    private double[] nanosByBlock(String drafter) {
        return blocks().stream().mapToDouble(block -> mean(block, drafter)).toArray();
    }

    private List<Map<Integer, Map<String, Double>>> blocks() {
        return rounds.values().stream()
                .flatMap(blocks -> blocks.values().stream())
                .toList();
    }

    private static double mean(Map<Integer, Map<String, Double>> block, String drafter) {
        return kept(block).stream()
                .mapToDouble(pass -> block.get(pass).get(drafter))
                .average()
                .orElseThrow();
    }

    /** The passes of a block in which no burst met one of its turns. */
    private static List<Integer> kept(Map<Integer, Map<String, Double>> block) {
        Map<String, Double> usual = usualShares(block);
        List<Integer> kept = new ArrayList<>();
        int nearest = -1;
        double least = Double.MAX_VALUE;
        for (Map.Entry<Integer, Map<String, Double>> round : block.entrySet()) {
            double off = farthest(round.getValue(), usual);
            if (off <= Math.log(BURST)) {
                kept.add(round.getKey());
            }
            if (off < least) {
                least = off;
                nearest = round.getKey();
            }
        }
        return kept.isEmpty() ? List.of(nearest) : kept;
    }

    private static Map<String, Double> usualShares(Map<Integer, Map<String, Double>> block) {
        Map<String, Double> usual = new LinkedHashMap<>();
        for (String drafter : block.values().iterator().next().keySet()) {
            double[] shares = block.values().stream()
                    .mapToDouble(round -> share(round, drafter))
                    .sorted()
                    .toArray();
            int middle = shares.length / 2;
            usual.put(
                    drafter, shares.length % 2 == 1 ? shares[middle] : Math.sqrt(shares[middle - 1] * shares[middle]));
        }
        return usual;
    }

    private static double farthest(Map<String, Double> round, Map<String, Double> usual) {
        return usual.entrySet().stream()
                .mapToDouble(entry -> Math.abs(Math.log(share(round, entry.getKey()) / entry.getValue())))
                .max()
                .orElse(0);
    }

    private static double share(Map<String, Double> round, String drafter) {
        return round.get(drafter)
                / round.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
