package io.tailrace.lab.bench.engine;

import io.tailrace.lab.bench.engine.EngineCell.Row;
import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What a run came to, for people and for programs. */
final class EngineReport {
    private static final int BAR_MAX = 40;
    private static final double BAR_RATIO = 2;

    private final List<EngineCell> cells;
    private final List<Row> rows;

    EngineReport(List<EngineCell> cells) {
        this.cells = List.copyOf(cells);
        this.rows = cells.stream().flatMap(cell -> cell.rows().stream()).toList();
    }

    List<Row> rows() {
        return rows;
    }

    /** Answers that were not the record's. */
    long differing() {
        return rows.stream().mapToLong(Row::differing).sum();
    }

    /** Tokens a second of Tailrace alone, of suffix decoding's: the geometric mean over workloads, batches and sizes; null: none. */
    TurnTimes.Ratio aloneToSuffix() {
        return aloneToSuffix(cell -> true);
    }

    /** The same as one of several replicas. */
    TurnTimes.Ratio replicaToSuffix() {
        return replicaToSuffix(cell -> true);
    }

    /** Tailrace's least tokens a second of those without drafts; null: none. */
    Double lowestToNone() {
        return lowestToNone(row -> true);
    }

    /**
     * Tokens a second of Tailrace alone, of those with the best fixed floor of each workload, batch and size; null: no floor had turns. The best of
     * several looks better by chance, so this is low.
     */
    TurnTimes.Ratio aloneToBestFloor() {
        List<LogRatio> ratios =
                cells.stream().flatMap(cell -> cell.toBestFloor().stream()).toList();
        return ratios.isEmpty() ? null : LogRatio.mean(ratios).ratio();
    }

    private TurnTimes.Ratio aloneToSuffix(Predicate<EngineCell> of) {
        return mean(cells.stream().filter(of).filter(cell -> cell.replicas() == 1));
    }

    private TurnTimes.Ratio replicaToSuffix(Predicate<EngineCell> of) {
        return mean(cells.stream().filter(of).filter(cell -> cell.replicas() > 1));
    }

    private Double lowestToNone(Predicate<Row> of) {
        return rows.stream()
                .filter(of)
                .filter(row -> row.drafter().equals(EngineCell.TAILRACE))
                .map(Row::toNone)
                .filter(Objects::nonNull)
                .map(TurnTimes.Ratio::value)
                .min(Double::compare)
                .orElse(null);
    }

    private static TurnTimes.Ratio mean(Stream<EngineCell> cells) {
        List<LogRatio> ratios = cells.map(cell -> cell.ratio(EngineCell.TAILRACE, EngineCell.SUFFIX))
                .toList();
        return ratios.isEmpty() ? null : LogRatio.mean(ratios).ratio();
    }

    /** Fields for programs. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        put(json, "alone", aloneToSuffix());
        put(json, "oneOfEight", replicaToSuffix());
        json.put("lowestToNone", lowestToNone());
        json.put("aloneToBestFloor", aloneToBestFloor());
        json.put("differing", differing());
        json.put(
                "cells",
                cells.stream()
                        .map(cell -> Map.entry(cell.size(), cell.batch()))
                        .distinct()
                        .map(cell -> {
                            Map<String, Object> of = new LinkedHashMap<>();
                            of.put("size", cell.getKey());
                            of.put("batch", cell.getValue());
                            put(of, "alone", aloneToSuffix(each -> is(each, cell)));
                            put(of, "oneOfEight", replicaToSuffix(each -> is(each, cell)));
                            of.put(
                                    "lowestToNone",
                                    lowestToNone(
                                            row -> row.size().equals(cell.getKey()) && row.batch() == cell.getValue()));
                            return of;
                        })
                        .toList());
        json.put("rows", rows);
        return json;
    }

    private static void put(Map<String, Object> json, String part, TurnTimes.Ratio toSuffix) {
        json.put(part + "ToSuffix", toSuffix == null ? null : toSuffix.value());
        json.put(part + "Interval", toSuffix == null ? null : Arrays.asList(toSuffix.low(), toSuffix.high()));
    }

    private static boolean is(EngineCell cell, Map.Entry<String, Integer> of) {
        return cell.size().equals(of.getKey()) && cell.batch() == of.getValue();
    }

    void print(PrintWriter out) {
        Table table = new Table(
                "model",
                "batch",
                "workload",
                "replicas",
                "drafts",
                "tokens/s",
                "to suffix",
                "90 %",
                "to none",
                "TPOT p50 us",
                "p99 us",
                "tokens/step",
                "drafted/step",
                "step ms",
                "draft p50 us",
                "p99 us",
                "late %",
                "to suffix as a bar, | is 1");
        for (Row row : rows) {
            TurnTimes.Ratio toSuffix = row.toSuffix();
            table.row(
                    row.size(),
                    row.batch(),
                    row.workload(),
                    row.replicas(),
                    row.drafter(),
                    row.tokensPerSecond(),
                    toSuffix == null ? null : toSuffix.value(),
                    toSuffix == null ? "" : toSuffix.interval(),
                    row.toNone() == null ? null : row.toNone().value(),
                    row.tpotMicrosP50(),
                    row.tpotMicrosP99(),
                    row.tokensPerStep(),
                    row.draftedPerStep(),
                    row.stepMillis(),
                    row.draftMicrosP50(),
                    row.draftMicrosP99(),
                    100 * row.late(),
                    bar(toSuffix == null ? 1 : toSuffix.value()));
        }
        table.print(out);
    }

    private static String bar(double ratio) {
        StringBuilder bar = new StringBuilder("#".repeat((int) Math.min(BAR_MAX, ratio / BAR_RATIO * BAR_MAX)));
        int one = (int) (BAR_MAX / BAR_RATIO);
        while (bar.length() <= one) {
            bar.append(' ');
        }
        bar.setCharAt(one, '|');
        return bar.toString().stripTrailing();
    }
}
