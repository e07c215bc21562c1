package io.tailrace.lab.bench.serve;

import java.util.List;
import org.HdrHistogram.Histogram;

/** What one side of a comparison adds up to. */
final class SideTotal {
    private static final long MICROS_MAX = 60_000_000;

    private final Histogram outputTokenNanos = new Histogram(MICROS_MAX * 1_000, 3);
    private long tokens;
    private long steps;
    private long drafted;
    private long accepted;
    private long nanos;

    void add(LoadRound.Result round) {
        nanos += round.nanos();
        add(round.samples());
    }

    private void add(List<LoadRound.Sample> samples) {
        for (LoadRound.Sample sample : samples) {
            tokens += sample.tokens();
            steps += sample.steps();
            drafted += sample.drafted();
            accepted += sample.accepted();
            if (sample.outputTokenMicros() > 0) {
                outputTokenNanos.recordValue(Math.round(sample.outputTokenMicros() * 1_000));
            }
        }
    }

    double tokensPerSecond() {
        return tokens * 1e9 / nanos;
    }

    /** The bench's row of this side; {@code ratio} is its gain, with the least and the largest of a pass. */
    ServeBench.Row row(String workload, int batch, boolean drafts, double ratio, double ratioLow, double ratioHigh) {
        return new ServeBench.Row(
                workload,
                batch,
                drafts,
                tokensPerSecond(),
                ratio,
                ratioLow,
                ratioHigh,
                outputTokenNanos.getValueAtPercentile(50) / 1e3,
                outputTokenNanos.getValueAtPercentile(99) / 1e3,
                steps == 0 ? 0 : (double) tokens / steps,
                steps == 0 ? 0 : (double) accepted / steps,
                drafted == 0 ? 0 : (double) accepted / drafted,
                tokens);
    }
}
