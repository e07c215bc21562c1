package io.tailrace.lab.replay;

import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What to simulate of a speculation cache during a replay: drafts for likely endings are prepared while the model verifies.
 * Times are given, not measured, so that the figures are the same on every machine.
 *
 * @param sources latencies of drafts, each simulated with both fan-outs
 * @param entriesMax most endings prepared in a step
 * @param stepMicros how long a verification takes
 */
public record SimulatedSpeculation(List<Source> sources, int entriesMax, long stepMicros) {
    /** Nothing is simulated. */
    public static final SimulatedSpeculation NONE = new SimulatedSpeculation(List.of(), 1, 0);

    /** How endings are chosen. */
    public enum Choice {
        BEST_FIRST,
        GEOMETRIC
    }

    /**
     * Where drafts come from.
     *
     * @param draftMicros how long one takes
     * @param preparers how many are prepared at a time
     */
    public record Source(long draftMicros, int preparers) {}

    /**
     * What a source would have had hidden.
     *
     * @param source which
     * @param choice how endings were chosen
     */
    public record Figures(Source source, Choice choice, OverlapSimulation.Outcome outcome) {
        Figures plus(Figures other) {
            OverlapSimulation.Outcome a = outcome;
            OverlapSimulation.Outcome b = other.outcome;
            return new Figures(
                    source,
                    choice,
                    new OverlapSimulation.Outcome(
                            a.steps() + b.steps(),
                            a.hits() + b.hits(),
                            a.late() + b.late(),
                            a.misses() + b.misses(),
                            a.hiddenNanos() + b.hiddenNanos(),
                            a.waitedNanos() + b.waitedNanos(),
                            a.stepNanos()));
        }
    }

    public SimulatedSpeculation {
        sources = List.copyOf(sources);
        if (entriesMax < 1 || stepMicros < 0) {
            throw new IllegalArgumentException(
                    "entriesMax must be >= 1 and stepMicros >= 0, got " + entriesMax + " and " + stepMicros);
        }
    }

    /** Reads {@code MICROS[:PREPARERS],...}. */
    public static List<Source> parse(String text) {
        List<Source> sources = new ArrayList<>();
        for (String source : text.split(",", -1)) {
            String[] parts = source.split(":", -1);
            try {
                long micros = Long.parseLong(parts[0]);
                int preparers = parts.length > 1 ? Integer.parseInt(parts[1]) : 1;
                if (micros < 0 || preparers < 1 || parts.length > 2) {
                    throw new NumberFormatException(source);
                }
                sources.add(new Source(micros, preparers));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "a draft source is MICROSECONDS[:PREPARERS], whole numbers, got " + source, e);
            }
        }
        return sources;
    }

    boolean isAsked() {
        return !sources.isEmpty();
    }

    /** Adds up figures of the same sources and choices, in their order. */
    public static List<Figures> sum(List<Figures> one, List<Figures> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        List<Figures> sum = new ArrayList<>();
        for (int i = 0; i < one.size(); i++) {
            sum.add(one.get(i).plus(other.get(i)));
        }
        return sum;
    }

    /** What a speculation cache would have hidden under one strategy and budget, over all streams. */
    public record Row(StrategyChoice strategy, int budget, Figures figures) {
        private record Key(StrategyChoice strategy, int budget) {}

        /** One row a strategy, budget, draft source and choice of endings; none where nothing was simulated. */
        public static List<Row> of(List<ReplayRun.Done> done) {
            Map<Key, List<Figures>> sums = new LinkedHashMap<>();
            for (ReplayRun.Done one : done) {
                sums.merge(
                        new Key(one.run().strategy(), one.run().budget()), one.speculated(), SimulatedSpeculation::sum);
            }
            List<Row> rows = new ArrayList<>();
            sums.forEach((key, figures) ->
                    figures.forEach(figure -> rows.add(new Row(key.strategy(), key.budget(), figure))));
            return rows;
        }
    }
}
