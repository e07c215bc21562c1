package io.tailrace.lab.bench.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One workload served by one engine, with several drafters in turn: alone, or as one of several replicas.
 *
 * <p>The first pass warms up and does not count; equality with the record is looked at in it, too.
 */
final class EngineCell {
    static final String NONE = "none";
    static final String SUFFIX = "suffix";
    static final String TAILRACE = "tailrace";
    private static final String FLOOR = TAILRACE + ", floor ";

    private final String size;
    private final int batch;
    private final int replicas;
    private final String workload;
    private final TurnTimes times = new TurnTimes();
    private final List<JsonNode> turns = new ArrayList<>();

    /**
     * A row of the report.
     *
     * @param replicas how many replicas there are; 1: it is alone
     * @param toSuffix times as fast as suffix decoding, with its 90 % interval; null for suffix decoding
     * @param toNone the same to no drafts; null where that had no turn
     * @param late share of the steps whose drafts came too late
     * @param differing answers that were not the record's
     */
    record Row(
            String size,
            int batch,
            int replicas,
            String workload,
            String drafter,
            double tokensPerSecond,
            TurnTimes.Ratio toSuffix,
            TurnTimes.Ratio toNone,
            long tpotMicrosP50,
            long tpotMicrosP99,
            double tokensPerStep,
            double draftedPerStep,
            double acceptanceRate,
            double stepMillis,
            long draftMicrosP50,
            long draftMicrosP99,
            double late,
            long requests,
            long differing,
            int rounds,
            int trimmed) {}

    EngineCell(String size, int batch, int replicas, String workload) {
        this.size = size;
        this.batch = batch;
        this.replicas = replicas;
        this.workload = workload;
    }

    String size() {
        return size;
    }

    int batch() {
        return batch;
    }

    int replicas() {
        return replicas;
    }

    /** Adds a turn, as the engine tells of it. */
    void add(JsonNode turn) {
        turns.add(turn);
        if (counts(turn)) {
            times.add(
                    workload,
                    turn.get("block").asInt(),
                    turn.get("number").asInt(),
                    turn.get("drafter").asText(),
                    turn.get("nanos").asDouble());
        }
    }

    /** Name of Tailrace where it drafts by a fixed floor. */
    static String floor(double floor) {
        return FLOOR + floor;
    }

    /** How many times as fast Tailrace was as with the fixed floor that did best here. */
    Optional<LogRatio> toBestFloor() {
        return turns.stream()
                .map(turn -> turn.get("drafter").asText())
                .filter(drafter -> drafter.startsWith(FLOOR))
                .distinct()
                .map(floor -> ratio(TAILRACE, floor))
                .min(Comparator.comparingDouble(LogRatio::value));
    }

    /** How many times as fast one drafter was as another. */
    LogRatio ratio(String drafter, String other) {
        return times.ratio(drafter, other);
    }

    List<Row> rows() {
        Map<String, DrafterFigures> figures = new LinkedHashMap<>();
        for (JsonNode turn : turns) {
            DrafterFigures of = figures.computeIfAbsent(turn.get("drafter").asText(), name -> new DrafterFigures());
            of.addDiffering(turn);
            if (counts(turn)
                    && times.isKept(
                            workload,
                            turn.get("block").asInt(),
                            turn.get("number").asInt())) {
                of.add(turn);
            }
        }
        List<Row> rows = new ArrayList<>();
        figures.keySet().stream()
                .sorted()
                .forEach(drafter -> rows.add(row(drafter, figures.get(drafter), figures.containsKey(NONE))));
        return rows;
    }

    private Row row(String drafter, DrafterFigures of, boolean toNone) {
        return new Row(
                size,
                batch,
                replicas,
                workload,
                drafter,
                of.tokensPerSecond(),
                drafter.equals(SUFFIX) ? null : times.ratio(drafter, SUFFIX).ratio(),
                drafter.equals(NONE) || !toNone
                        ? null
                        : times.ratio(drafter, NONE).ratio(),
                of.tpotMicros(50),
                of.tpotMicros(99),
                of.tokensPerStep(),
                of.draftedPerStep(),
                of.acceptanceRate(),
                of.stepMillis(),
                of.draftMicros(50),
                of.draftMicros(99),
                of.late(),
                of.requests(),
                of.differing(),
                times.rounds(),
                times.trimmed());
    }

    private static boolean counts(JsonNode turn) {
        return turn.get("number").asInt() > 0;
    }
}
