package io.tailrace.lab.bench.engine;

import com.fasterxml.jackson.databind.JsonNode;
import org.HdrHistogram.Histogram;

/** What one drafter's turns at one workload came to, but for their times. */
final class DrafterFigures {
    private static final int DIGITS = 3;

    private long tokens;
    private long nanos;
    private long requests;
    private long differing;
    private long stepTokens;
    private long requestSteps;
    private long drafted;
    private long accepted;
    private long steps;
    private long late;
    private final Histogram tpotMicros = new Histogram(DIGITS);
    private final Histogram draftMicros = new Histogram(DIGITS);
    private final Histogram stepMicros = new Histogram(DIGITS);

    /** Adds a turn that counts, as the engine tells of it. */
    void add(JsonNode turn) {
        tokens += turn.get("tokens").asLong();
        nanos += turn.get("nanos").asLong();
        requests += turn.get("requests").asLong();
        stepTokens += turn.get("step_tokens").asLong();
        requestSteps += turn.get("request_steps").asLong();
        drafted += turn.get("drafted").asLong();
        accepted += turn.get("accepted").asLong();
        steps += turn.get("steps").asLong();
        late += turn.get("late").asLong();
        record(turn.get("tpot_nanos"), tpotMicros);
        record(turn.get("draft_nanos"), draftMicros);
        record(turn.get("step_nanos"), stepMicros);
    }

    /** Adds answers that were not the record's, of any turn. */
    void addDiffering(JsonNode turn) {
        differing += turn.get("requests").asLong() - turn.get("equal").asLong();
    }

    private static void record(JsonNode nanos, Histogram micros) {
        nanos.forEach(each -> micros.recordValue(each.asLong() / 1_000));
    }

    long tokens() {
        return tokens;
    }

    long requests() {
        return requests;
    }

    /** Answers that were not the record's. */
    long differing() {
        return differing;
    }

    double tokensPerSecond() {
        return tokens * 1e9 / nanos;
    }

    /** Said by a request in a step without prompts. */
    double tokensPerStep() {
        return ratio(stepTokens, requestSteps);
    }

    /** For a request and step. */
    double draftedPerStep() {
        return ratio(drafted, requestSteps);
    }

    double acceptanceRate() {
        return ratio(accepted, drafted);
    }

    /** Share of the steps whose drafts came too late. */
    double late() {
        return ratio(late, steps);
    }

    double stepMillis() {
        return stepMicros.getMean() / 1e3;
    }

    long tpotMicros(double percentile) {
        return tpotMicros.getValueAtPercentile(percentile);
    }

    long draftMicros(double percentile) {
        return draftMicros.getValueAtPercentile(percentile);
    }

    private static double ratio(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }
}
