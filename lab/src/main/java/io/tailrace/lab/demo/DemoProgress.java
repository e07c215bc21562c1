package io.tailrace.lab.demo;

import io.tailrace.lab.loop.FleetTotals;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** The line that shows how the demo goes: a bar on a terminal, else a line now and then. */
final class DemoProgress implements AutoCloseable {
    /** Set by the launcher when standard error is a terminal. */
    static final String TERMINAL_PROPERTY = "tailrace.terminal";

    private static final long WINDOW_NANOS = 10_000_000_000L;
    private static final long LINE_EVERY_NANOS = 5_000_000_000L;

    private final PrintWriter out;
    private final long requests;
    private final ProgressBar bar;
    private final Deque<Sample> window = new ArrayDeque<>();
    private long linePrintedAt;

    private record Sample(long nanos, long tokens, long steps, long ownTokens, long ownSteps) {}

    DemoProgress(PrintWriter out, long requests) {
        this.out = out;
        this.requests = requests;
        this.bar = Boolean.getBoolean(TERMINAL_PROPERTY) ? newBar(requests) : null;
        this.linePrintedAt = System.nanoTime();
    }

    /** Shows where things stand; to be called a few times a second. */
    void show(FleetTotals totals, long snapshotVersion, long freshnessMillis) {
        long now = System.nanoTime();
        Sample newest = new Sample(
                now, totals.responseTokens(), totals.steps(), totals.ownContextTokens(), totals.ownContextSteps());
        window.add(newest);
        while (now - window.peek().nanos() > WINDOW_NANOS) {
            window.remove();
        }
        String message = message(window.peek(), newest, snapshotVersion, freshnessMillis);
        if (bar != null) {
            bar.stepTo(totals.requests());
            bar.setExtraMessage(" " + message);
        } else if (now - linePrintedAt >= LINE_EVERY_NANOS) {
            linePrintedAt = now;
            out.println("%,d of %,d requests, %s".formatted(totals.requests(), requests, message));
            out.flush();
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }

    private static String message(Sample oldest, Sample newest, long snapshotVersion, long freshnessMillis) {
        return String.format(
                Locale.ROOT,
                "tokens/step %s (own context only %s), snapshot %s, freshness p99 %s",
                ratio(newest.tokens() - oldest.tokens(), newest.steps() - oldest.steps()),
                ratio(newest.ownTokens() - oldest.ownTokens(), newest.ownSteps() - oldest.ownSteps()),
                snapshotVersion == 0 ? "-" : Long.toString(snapshotVersion),
                freshnessMillis < 0 ? "-" : freshnessMillis + " ms");
    }

    private static String ratio(long tokens, long steps) {
        return steps == 0 ? "-" : String.format(Locale.ROOT, "%.2f", (double) tokens / steps);
    }

    private static ProgressBar newBar(long requests) {
        return new ProgressBarBuilder()
                .setTaskName("demo")
                .setInitialMax(requests)
                .setUnit(" requests", 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(500)
                .clearDisplayOnFinish()
                .build();
    }
}
